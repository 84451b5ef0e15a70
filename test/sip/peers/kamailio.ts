/** Kamailio as the edge of two nodes, with the configuration that compose.yaml uses. */
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../helpers/programs/free-port.ts'
import { startProgram } from './program.ts'

const deployed = new URL('../../../deploy/compose/kamailio.cfg', import.meta.url)

export async function startKamailio(nodes: string[]) {
  const folder = await mkdtemp(join(tmpdir(), 'ramal-kamailio-'))
  const port = await freePort()
  // The last column is the priority: the first node is the one that phones use.
  const list = nodes.map((node, index) => `1 sip:${node} 0 ${nodes.length - index}\n`)
  await writeFile(join(folder, 'nodes.list'), list.join(''))
  await writeFile(
    join(folder, 'kamailio.cfg'),
    readFileSync(deployed, 'utf8').replaceAll('/tmp/nodes.list', join(folder, 'nodes.list')),
  )
  const args = [
    '-f',
    join(folder, 'kamailio.cfg'),
    '-l',
    `udp:127.0.0.1:${port}`,
    '-l',
    `tcp:127.0.0.1:${port}`,
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
