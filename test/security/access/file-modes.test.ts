/** Whatever the umask, others on the machine can read nothing of ours (D211). */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { makeDataDir } from '../../helpers/programs/ramal-process.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const data = makeDataDir()
afterAll(data.remove)
const folder = join(data.path, 'data')

/** Runs the service with the umask until it is ready, then stops it. */
async function serveWith(umask: string) {
  const child = spawn('/bin/sh', ['-c', `umask ${umask}; exec "$0" bin/ramal.js serve`, process.execPath], {
    cwd: root,
    env: {
      PATH: process.env.PATH ?? '',
      CONSOLE: 'off',
      DATA_DIR: folder,
      PORT: '0',
      SIP_PORT: '0',
      SIP_WS_PORT: '0',
      LOG_LEVEL: 'warn',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let text = ''
  child.stdout.on('data', (chunk) => {
    text += chunk
  })
  await expect.poll(() => text, { timeout: 60_000 }).toContain('Ramal is ready')
  child.kill('SIGTERM')
  await once(child, 'exit')
}

/** What others may do anything with. */
const openPaths = () =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    // PostgreSQL's programs hold nothing of ours (D451), and another user may have to run them.
    (name) => !name.startsWith('postgresql-') && (statSync(join(folder, name)).mode & 0o077) !== 0,
  )

test('with umask 000 every file is for its owner only, also one that was not', async () => {
  await serveWith('000')
  expect(readdirSync(folder).sort()).toEqual(
    expect.arrayContaining(['postgres', 'postgres.lock', 'secret.key', 'spool']),
  )
  expect(openPaths()).toEqual([])
  // As root the database runs as another user, who must enter the folder but cannot list it.
  expect(statSync(folder).mode & 0o777).toBe(process.geteuid?.() === 0 ? 0o711 : 0o700)
  chmodSync(join(folder, 'postgres.lock'), 0o644)
  await serveWith('000')
  expect(openPaths()).toEqual([])
})
