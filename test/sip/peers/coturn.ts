/** coturn as the TURN server of an operator: on loopback, over TCP only, as in a network that blocks UDP. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../helpers/programs/free-port.ts'
import { startProgram } from './program.ts'

export async function startCoturn(secret: string) {
  const folder = await mkdtemp(join(tmpdir(), 'ramal-coturn-'))
  const port = await freePort()
  const args = [
    '-n',
    '--listening-ip=127.0.0.1',
    '--relay-ip=127.0.0.1',
    `--listening-port=${port}`,
    '--min-port=41000',
    '--max-port=41999',
    '--no-udp',
    '--no-tls',
    '--no-dtls',
    '--allow-loopback-peers',
    '--cli-password=never-used',
    '--no-cli',
    '--realm=ramal.test',
    '--use-auth-secret',
    `--static-auth-secret=${secret}`,
    `--userdb=${join(folder, 'turndb')}`,
    `--pidfile=${join(folder, 'pid')}`,
    '--log-file=stdout',
    '--simple-log',
  ]
  const program = startProgram('turnserver', args, folder)
  // It listens once a connection is taken.
  const probe = await program.connect(port)
  probe.destroy()
  return {
    url: `turn:127.0.0.1:${port}?transport=tcp`,
    said: program.said,
    async stop() {
      await program.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
