import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, test, vi } from 'vitest'
import { toneSource } from '../../engine/endpoint/audio/audio-source.ts'
import { receiveCall } from '../../engine/endpoint/call/incoming-call.ts'
import { domain, openExchange } from '../../engine/endpoint/testing/exchange.ts'
import { systemTimers } from '../../kit/timers.ts'

const program = fileURLToPath(new URL('../../main.ts', import.meta.url))
const log = { warn() {}, error() {} }
const closers: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

async function open() {
  const exchange = await openExchange()
  closers.push(exchange.stop)
  return { exchange, server: `127.0.0.1:${exchange.ports.udp}` }
}

function phone(args: string[], env: Record<string, string> = { RAMAL_PASSWORD: 'right-password' }) {
  const child: ChildProcess = spawn(process.execPath, [program, 'phone', ...args], {
    // Code that was compiled for one of them is there for the next.
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  const lines: string[] = []
  let complaints = ''
  child.stderr?.on('data', (text) => {
    complaints += text
  })
  if (child.stdout) createInterface(child.stdout).on('line', (line) => lines.push(line))
  const exit = once(child, 'close').then(([code]) => code)
  closers.push(async () => {
    child.kill()
    await exit
  })
  const says = (words: string | RegExp) =>
    vi.waitFor(() => expect(lines.join('\n')).toMatch(words), { timeout: 60_000 })
  return { lines, exit, says, complaints: () => complaints, type: (keys: string) => child.stdin?.write(keys) }
}

const who = ['--extension', `1000@${domain}`]

test('answers by key, prints the received audio, and unregisters when it quits', async () => {
  const { exchange, server } = await open()
  const { says, type, exit, lines } = phone([
    ...who,
    '--server',
    server,
    '--answer',
    'ask',
    '--play',
    'tone:600',
  ])
  await says(`registered as 1000@${domain}`)
  const call = await exchange.ring()
  await says(/call from Ana \(1001\): a answers/)
  type('a')
  await says('answered')
  type('5')
  await vi.waitFor(() => expect(call.heard()?.digits).toBe('5'), { timeout: 30_000 })
  await vi.waitFor(() => expect(call.heard()?.soundSeconds).toBeGreaterThan(0.3), { timeout: 30_000 })
  expect(call.heard()?.tone?.hertz).toBe(600)
  type('h')
  await says(/over: we hung up; heard .* mostly 600 Hz/)
  type('q')
  expect(await exit).toBe(0)
  expect(exchange.isRegistered()).toBe(false)
  expect(lines.join()).not.toContain('right-password')
})

test('calls, prints JSON, and ends with the call', async () => {
  const { exchange, server } = await open()
  exchange.userAgent.onInvite((leg) => {
    const call = receiveCall(leg, { host: '127.0.0.1', timers: systemTimers, log })
    call.ring()
    void call.answer(toneSource(1000))
  })
  const { exit, lines } = phone([
    ...who,
    '--server',
    server,
    '--call',
    '551133334444',
    '--hangup-after',
    '1',
    '--json',
  ])
  expect(await exit).toBe(0)
  const events = lines.map((line) => JSON.parse(line))
  expect(events.map(({ type }) => type)).toEqual(['registered', 'progress', 'answered', 'ended'])
  expect(events.at(-1)).toMatchObject({ why: 'we hung up', heard: { tone: { hertz: 1000 } } })
})

test('a wrong password ends it with 3 and a sentence', async () => {
  const { server } = await open()
  const { exit, lines } = phone([...who, '--server', server], { RAMAL_PASSWORD: 'wrong-password' })
  expect(await exit).toBe(3)
  expect(lines.join()).toContain('refuses the password')
})

test('a call that is refused ends it with 5', async () => {
  const { exchange, server } = await open()
  exchange.userAgent.onInvite((leg) => leg.refuse(486))
  const { exit, lines } = phone([...who, '--server', server, '--call', '551133334444'])
  expect(await exit).toBe(5)
  expect(lines.join()).toContain('they refused (486)')
})

test('a server that is not there ends it with 4', async () => {
  const { exchange, server } = await open()
  await exchange.stop()
  closers.length = 0
  const { exit, lines } = phone([...who, '--server', server, '--transport', 'tcp'])
  expect(await exit).toBe(4)
  expect(lines.join()).toContain('does not answer')
})

test('a mistake on the command line ends it with 2, a sentence and a hint', async () => {
  const { exit, complaints } = phone([...who, '--shout'])
  expect(await exit).toBe(2)
  expect(complaints()).toBe(`Unknown option '--shout'.\nSee: ramal phone --help\n`)
})

test('the service is asked for its SIP port', async () => {
  const { exchange, server } = await open()
  const api = createServer((_request, response) => response.end(JSON.stringify({ SIP: server })))
  api.listen(0, '127.0.0.1')
  await once(api, 'listening')
  closers.push(async () => api.close())
  const { port } = api.address() as AddressInfo
  const asked = phone([...who, '--api', `http://127.0.0.1:${port}/api/v1`])
  await asked.says(`registered as 1000@${domain} at 127.0.0.1:${exchange.ports.udp}`)
  const byPort = phone(who, { RAMAL_PASSWORD: 'right-password', PORT: String(port) })
  await byPort.says(`registering 1000@${domain} at 127.0.0.1:${exchange.ports.udp}`)
})

test('in the background it returns once registered, and goes on until its call ends', async () => {
  const { exchange, server } = await open()
  const { exit, says, lines } = phone([
    ...who,
    '--server',
    server,
    '--background',
    '--hangup-after',
    '1',
    '--once',
  ])
  await says(`registered as 1000@${domain}`)
  await exchange.ring()
  expect(await exit).toBe(0)
  expect(lines.at(-1)).toMatch(/^over: we hung up/)
})

test('in the background it fails as in the foreground when it cannot register', async () => {
  const { server } = await open()
  const { exit } = phone([...who, '--server', server, '--background', '--password', 'wrong'])
  expect(await exit).toBe(3)
})

test('a service that was named and does not answer ends it with 2 and a sentence', async () => {
  const { exit, complaints } = phone([...who, '--api', 'http://127.0.0.1:1'])
  expect(await exit).toBe(2)
  expect(complaints()).toMatch(/^No service answers at http:\/\/127\.0\.0\.1:1: start it with /)
})
