/** No acknowledged write is lost, whichever process is killed, and whenever. */
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { makeDataDir, runRamal, startRamal } from '../../helpers/programs/ramal-process.ts'

const data = makeDataDir()
afterAll(data.remove)

const env = { DATA_DIR: data.path }

async function createAccount(): Promise<string> {
  const { text } = await runRamal(
    ['account', 'create', '--domain', 'kill.ramal.localhost', '--email', 'kill@example.com'],
    env,
  )
  return /Token\s+(\w{64})/.exec(text)?.[1] ?? ''
}

type Ramal = Awaited<ReturnType<typeof startRamal>>

/** Writers that run until the service stops answering, and record the acknowledged writes. */
function startWriters(ramal: Ramal, token: string, acknowledged: Set<string>) {
  const state = { stopped: false }
  const writer = async () => {
    while (!state.stopped) {
      const { status, body } = await ramal.api.post('/users/accessTokens', { ttl: -1 }, { token })
      if (status === 200) acknowledged.add(body.id)
    }
  }
  const all = Promise.allSettled(Array.from({ length: 4 }, writer))
  return {
    async stop() {
      state.stopped = true
      await all
    },
  }
}

function killDatabase() {
  const pid = Number(readFileSync(join(data.path, 'postgres/postmaster.pid'), 'utf8').split('\n')[0])
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')
  for (const each of [pid, ...children.map(Number)]) process.kill(each, 'SIGKILL')
}

async function countLost(ramal: Ramal, tokens: Iterable<string>) {
  const answers = await Promise.all(
    [...tokens].map((token) => ramal.api.head('/users/accessTokens', { token })),
  )
  return answers.filter(({ status }) => status !== 200).length
}

test('kill -9 of the server, of the database, of both, with writers running, loses no acknowledged write', async () => {
  const token = await createAccount()
  expect(token).toHaveLength(64)
  const tokens = new Set<string>()
  for (const victim of ['server', 'database', 'both'] as const) {
    const ramal = await startRamal(env)
    expect(await countLost(ramal, tokens), `lost before ${victim}`).toBe(0)
    const before = tokens.size
    const writers = startWriters(ramal, token, tokens)
    await expect.poll(() => tokens.size).toBeGreaterThan(before + 40)
    if (victim !== 'server') killDatabase()
    if (victim !== 'database') await ramal.kill()
    await writers.stop()
    if (victim === 'database') {
      // The service restarts its embedded database and continues.
      await expect.poll(async () => (await ramal.api.get('/users/me', { token })).status).toBe(200)
      await ramal.kill()
    }
  }
  const ramal = await startRamal(env)
  const lost = await countLost(ramal, tokens)
  expect([tokens.size > 100, lost]).toEqual([true, 0])
  expect(await ramal.kill('SIGTERM')).toBe(0)
}, 120_000)

test('SIGTERM finishes requests in progress, stops the embedded database, and exits with 0', async () => {
  const ramal = await startRamal(env)
  const body = JSON.stringify({ email: 'kill@example.com', password: 'wrong password' })
  const socket = connect(Number(new URL(ramal.url).port), 'localhost')
  let answer = ''
  socket.setEncoding('utf8').on('data', (text) => {
    answer += text
  })
  socket.write(`POST /api/v1/users/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n`)
  socket.write(`Content-Length: ${body.length}\r\nExpect: 100-continue\r\n\r\n`)
  await expect.poll(() => answer).toContain('100 Continue')
  const ended = ramal.kill('SIGTERM')
  await expect.poll(ramal.text).toContain('SIGTERM: finishing what was asked')
  socket.write(body)
  expect(await ended).toBe(0)
  expect(answer).toContain('401 Unauthorized')
  expect(answer).toContain('LOGIN_FAILED')
  expect(() => readFileSync(join(data.path, 'postgres/postmaster.pid'))).toThrow('ENOENT')
})
