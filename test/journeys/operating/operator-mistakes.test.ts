/** What the commands of `ramal` refuse, and how they say so: a sentence on standard error, nothing on standard output. */
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { command } from '../../../src/kit/process/command.ts'
import { makeDataDir, runRamalApart, startRamal } from '../../helpers/programs/ramal-process.ts'
import { runHere } from '../../helpers/programs/run-here.ts'

const data = makeDataDir()
const env = { DATA_DIR: data.path }
let ramal: Awaited<ReturnType<typeof startRamal>>

beforeAll(async () => {
  ramal = await startRamal(env)
})
afterAll(async () => {
  await ramal.kill('SIGTERM')
  data.remove()
})

const weak = ['account', 'create', '--domain', 'fraca.ramal.localhost', '--email', 'ana@fraca.example']
const missing = join(data.path, 'missing')

test.each([
  [[...weak, '--password', 'abc'], 'The account is not valid. `password` must have 8 to 200 characters.'],
  [[...weak, '--password', ''], 'The account is not valid. `password` must have 8 to 200 characters.'],
  [['user', 'password', '--email', 'x@x.example'], 'There is no user x@x.example.'],
  [['user', 'second-factor', 'off', 'x@x.example'], 'There is no user x@x.example.'],
  [['account', 'limits', 'x.ramal.localhost'], 'There is no account x.ramal.localhost.'],
  [
    ['credit', 'add', '--domain', 'x.ramal.localhost', '--amount', '-5.00', '--reason', 'x'],
    'There is no account x.ramal.localhost.',
  ],
  [
    ['credit', 'refund', '--charge', '7', '--reason', 'x'],
    'There is no charge 7 at the payment gateway in use.',
  ],
  [
    ['number', 'assign', '4830304000', '--account', 'x.ramal.localhost'],
    'There is no account x.ramal.localhost.',
  ],
  [['number', 'release', '4830304000'], '+554830304000 belongs to no account.'],
  [
    ['recording', 'export', '--call', '0193a2f4-7a3c-7c1e-9d3b-5f1e2a4b6c8d', '--to', missing],
    'Call 0193a2f4-7a3c-7c1e-9d3b-5f1e2a4b6c8d has no recording.',
  ],
  [['rates', 'import', missing], `${missing} cannot be read: there is no such file or folder.`],
  [['backup', data.path], `${data.path} exists already: name a folder that does not.`],
])('%j is refused on standard error, with exit code 1 (D460)', async (args, sentence) => {
  expect(await runHere(args, env)).toEqual({ code: 1, output: '', errors: `${sentence}\n` })
})

test('so is what another process is asked', async () => {
  expect(await runRamalApart(['number', 'release', '4830304000'], env)).toEqual({
    code: 1,
    output: '',
    errors: '+554830304000 belongs to no account.\n',
  })
})

test.runIf(process.platform === 'linux')(
  'a backup where no folder can be made is refused at once',
  async () => {
    for (const folder of ['/proc/nope', '/proc/nope/nope']) {
      expect(await runHere(['backup', folder], env)).toEqual({
        code: 1,
        output: '',
        errors: `${folder} cannot be made: there is no such file or folder.\n`,
      })
    }
  },
)

test('a backup of which a byte has changed is refused before anything is read in (D518)', async () => {
  const backup = join(data.path, 'backup')
  expect(await runRamalApart(['backup', backup, '--key'], env)).toMatchObject({ code: 0, errors: '' })
  const file = join(backup, 'database.jsonl.gz')
  writeFileSync(file, gzipSync(gunzipSync(readFileSync(file)).toString().replace('"ramal":1', '"ramal": 1')))
  const fresh = join(data.path, 'fresh')
  expect(await runHere(['restore', backup], { DATA_DIR: fresh })).toEqual({
    code: 1,
    output: '',
    errors: 'The backup is damaged: database.jsonl.gz has changed since it was made.\n',
  })
  expect(existsSync(fresh)).toBe(false)
})

test('a phone without a service to register at says so', async () => {
  const phone = ['phone', '--extension', '1000@x.ramal.localhost', '--password', 'x']
  expect(await runHere(phone, { ...env, PORT: '1' })).toEqual({
    code: 2,
    output: '',
    errors:
      `No service answers at http://localhost:1: start it with ${command} serve, or name it with --api or --server.\n` +
      `See: ${command} phone --help\n`,
  })
})

describe('serve with ports that are taken', () => {
  test('names each, its setting and what to do, before it starts anything (D461)', async () => {
    const stranger = createServer().listen(0, '127.0.0.1')
    await once(stranger, 'listening')
    const { port } = stranger.address() as AddressInfo
    const [, sip = ''] = /SIP\s+127\.0\.0\.1:(\d+)/.exec(ramal.text()) ?? []
    const dataDir = join(data.path, 'second')
    const ports = { PORT: new URL(ramal.url).port, SIP_PORT: sip, SIP_WS_PORT: String(port) }
    const advice = (setting: string) => `stop it, or set ${setting} to another port (0 takes any free one).`
    expect(await runRamalApart(['serve'], { DATA_DIR: dataDir, ...ports })).toEqual({
      code: 1,
      output: '',
      errors: [
        `Port ${ports.PORT} on 127.0.0.1 is taken by a Ramal that is running: ${advice('PORT')}`,
        `Port ${sip} on 127.0.0.1 is taken by a Ramal that is running: ${advice('SIP_PORT')}`,
        `Port ${port} on 127.0.0.1 is taken by another program, perhaps another Ramal: ${advice('SIP_WS_PORT')}`,
        '',
      ].join('\n'),
    })
    expect(existsSync(dataDir)).toBe(false)
    stranger.close()
  })

  test('a SIP port that another program has is not taken for one of a Ramal', async () => {
    const stranger = createSocket('udp4').bind(0, '127.0.0.1')
    await once(stranger, 'listening')
    const { port } = stranger.address()
    const settings = { ...env, PORT: '0', SIP_PORT: String(port), SIP_WS_PORT: '0' }
    const { errors } = await runRamalApart(['serve'], settings)
    expect(errors).toContain(`Port ${port} on 127.0.0.1 is taken by another program: stop it`)
    stranger.close()
  })

  test('an address that the machine does not have is named with its setting', async () => {
    const { errors } = await runRamalApart(['serve'], { ...env, PORT: '3000', HOST: '192.0.2.1' })
    expect(errors).toContain('192.0.2.1 is no address of this machine: check HOST.\n')
  })
})

test('doctor compares the connections that PostgreSQL allows with the pools of a process', async () => {
  const doctor = async (pool: string) =>
    (await runHere(['doctor'], { ...env, PORT: '0', SIP_PORT: '0', DATABASE_POOL: pool })).output
  expect(await doctor('12')).toMatch(/ok {3}database {2}57 connections allowed, .* up to 27: enough for 2\n/)
  expect(await doctor('100')).toMatch(/BAD {2}database {2}57 connections allowed, .* up to 115: raise its/)
})
