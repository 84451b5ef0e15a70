import { expect, test } from 'vitest'
import { readPhoneOptions } from './phone-options.ts'

const surroundings = { env: {}, isTerminal: false, findServer: async () => '127.0.0.1' }

const least = ['--extension', '1000@acme.example', '--password', 'secret']
const read = (...args: string[]) => readPhoneOptions([...least, ...args], surroundings)

test('an extension with its domain and a password are enough', async () => {
  expect(await read()).toMatchObject({
    extension: '1000',
    domain: 'acme.example',
    server: { address: '127.0.0.1', port: 5060 },
    transport: 'udp',
    answer: 'auto',
    json: false,
  })
  expect((await readPhoneOptions(least, { ...surroundings, isTerminal: true })).answer).toBe('ask')
})

test('the password may be in the environment', async () => {
  const args = ['--extension', '1000', '--domain', 'acme.example']
  expect((await readPhoneOptions(args, { ...surroundings, env: { RAMAL_PASSWORD: 'p' } })).password).toBe('p')
  await expect(readPhoneOptions(args, surroundings)).rejects.toThrow('--password or RAMAL_PASSWORD is needed')
})

test.each([
  ['127.0.0.1:5070', 'udp', '127.0.0.1', 5070],
  ['127.0.0.1', 'ws', '127.0.0.1', 5066],
  ['::1', 'udp', '::1', 5060],
  ['[::1]:5070', 'tcp', '::1', 5070],
])('the server %s by %s is %s port %d', async (server, transport, address, port) => {
  const options = await read('--server', server, '--transport', transport)
  expect(options.server).toEqual({ address, port })
})

test.each([
  [['--extension', 'ana'], '--extension is a number'],
  [['--transport', 'pigeon'], '--transport is one of udp, tcp, ws'],
  [['--answer', 'maybe'], '--answer is one of auto, ask, refuse, busy'],
  [['--play', '/no/such.wav'], '/no/such.wav cannot be read'],
  [['--play', 'package.json'], 'package.json is no WAV file'],
  [['--server', 'a b'], '--server is a host and a port'],
  [['--server', '127.0.0.1:99999'], '--server is a host and a port'],
  [['--domain', 'a@b'], '--domain is the domain of an account'],
  [['--call', 'ana'], '--call is a number'],
  [['--answer-after', 'soon'], '--answer-after is a number of seconds'],
  [['--shout'], '--shout'],
])('%j is refused in words', async (args, words) => {
  await expect(read(...args)).rejects.toThrow(words)
})
