/** Kamailio as the edge of two nodes: it adds Path, and sends requests of phones to the first node that answers. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../helpers/free-port.ts'
import { startProgram } from './program.ts'

export async function startKamailio(nodes: string[]) {
  const folder = await mkdtemp(join(tmpdir(), 'ramal-kamailio-'))
  const port = await freePort()
  // The last column is the priority: the first node is the one that phones use.
  const list = nodes.map((node, index) => `1 sip:${node} 0 ${nodes.length - index}\n`)
  await writeFile(join(folder, 'nodes.list'), list.join(''))
  await writeFile(join(folder, 'kamailio.cfg'), configuration(port, folder))
  const args = [
    '-f',
    join(folder, 'kamailio.cfg'),
    '-DD',
    '-E',
    '-P',
    join(folder, 'pid'),
    '-Y',
    folder,
    '-m',
    '32',
    '-M',
    '4',
  ]
  const program = startProgram('kamailio', args, folder)
  // It listens over TCP too, once a connection is taken.
  const probe = await program.connect(port)
  probe.destroy()
  return {
    port,
    said: program.said,
    async stop() {
      await program.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const configuration = (port: number, folder: string) => `#!KAMAILIO
children=2
tcp_children=1
disable_core_dump=yes
listen=udp:127.0.0.1:${port}
listen=tcp:127.0.0.1:${port}
loadmodule "pv.so"
loadmodule "tm.so"
loadmodule "sl.so"
loadmodule "rr.so"
loadmodule "path.so"
loadmodule "maxfwd.so"
loadmodule "siputils.so"
loadmodule "textops.so"
loadmodule "dispatcher.so"
modparam("dispatcher", "list_file", "${folder}/nodes.list")
modparam("dispatcher", "flags", 2)
modparam("tm", "fr_timer", 3000)

request_route {
  if (!mf_process_maxfwd_header("10")) exit;
  force_rport();
  if (is_method("CANCEL")) {
    if (t_check_trans()) t_relay();
    exit;
  }
  # Within a dialog, and from a node to a phone: by Route, which for a new call is the Path of the registration.
  if (has_totag() || ds_is_from_list("1")) {
    if (!loose_route() && is_method("ACK") && !t_check_trans()) exit;
    if (is_method("INVITE")) record_route();
    t_relay();
    exit;
  }
  remove_hf("Route");
  if (is_method("INVITE")) record_route();
  if (is_method("REGISTER")) add_path();
  ds_select_dst("1", "8");
  t_on_failure("NEXT");
  t_relay();
}

failure_route[NEXT] {
  if (t_is_canceled()) exit;
  if (t_check_status("503") || t_branch_timeout()) {
    if (ds_next_dst()) {
      t_on_failure("NEXT");
      t_relay();
    }
  }
}
`
