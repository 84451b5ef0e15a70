/** HAProxy with the configuration that compose.yaml uses, at ports of the test. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeDataDir } from '../helpers/programs/ramal-process.ts'

const deployed = new URL('../../deploy/compose/haproxy.cfg', import.meta.url)

/** Nothing listens there. */
const closedPort = 1

export async function startBalancer(port: number, apiPorts: number[], voicePorts: number[] = []) {
  const folder = makeDataDir()
  const file = join(folder.path, 'haproxy.cfg')
  const ports = { api: [...apiPorts], voice: [...voicePorts] }
  const text = readFileSync(deployed, 'utf8')
    .replace('bind :3000', `bind 127.0.0.1:${port}`)
    .replace(
      /( server (api|voice)-\d) 127\.0\.0\.1:\d+/g,
      (_text, name, role: keyof typeof ports) => `${name} 127.0.0.1:${ports[role].shift() ?? closedPort}`,
    )
  writeFileSync(file, text)
  const child = spawn('haproxy', ['-db', '-f', file], { stdio: ['ignore', 'ignore', 'pipe'] })
  const exited = once(child, 'exit')
  let output = ''
  child.stderr.on('data', (chunk) => {
    output += chunk
  })
  return {
    url: `http://127.0.0.1:${port}`,
    text: () => output,
    async stop() {
      child.kill('SIGKILL')
      await exited
      folder.remove()
    },
  }
}
