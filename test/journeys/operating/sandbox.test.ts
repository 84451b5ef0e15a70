/** `sandbox`: everything to try a service with that runs elsewhere (D572), or on this machine (D589). */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { scenarios } from '../../../src/engine/sandbox/scenarios.ts'
import { freePort } from '../../helpers/programs/free-port.ts'
import { makeDataDir, runRamal, startRamal } from '../../helpers/programs/ramal-process.ts'
import { addUser, openAccount } from '../../helpers/service/people.ts'
import { startService } from '../../helpers/service/service.ts'

const root = process.env.RELEASE_UNDER_TEST ?? fileURLToPath(new URL('../../..', import.meta.url))
const laptop = mkdtempSync(join(tmpdir(), 'ramal-laptop-'))
const where = { folder: laptop, program: join(root, 'bin/ramal.js') }
/** Where the service was started: its data is in `data` below. */
const home = makeDataDir()
const atHome = { ...where, folder: home.path }

let port = ''
let ramal: Awaited<ReturnType<typeof startRamal>>
beforeAll(async () => {
  port = String(await freePort())
  ramal = await startRamal({ PORT: port }, atHome)
})
afterAll(async () => {
  await ramal.kill('SIGTERM')
  home.remove()
  rmSync(laptop, { recursive: true })
})

const sandbox = (env: Record<string, string>, ...args: string[]) => runRamal(['sandbox', ...args], env, where)
const operatorToken = () => /[?]token=(\S+)/.exec(ramal.text())?.[1] ?? ''

test('signs up an account with a token, an extension and credit, and prints the commands that use them', async () => {
  const { code, text } = await sandbox({ RAMAL_URL: ramal.url, RAMAL_OPERATOR_TOKEN: operatorToken() })
  expect([code, text]).toEqual([0, expect.stringMatching(/^Account +sandbox-\w+\.ramal\.localhost/m)])
  const [, token = ''] = /^Token +(\w{64})$/m.exec(text) ?? []
  const [, number, domain, password] =
    /^Extension +(\d+)@(\S+), password (\w+), SIP \S+:\d+$/m.exec(text) ?? []
  const { body: extensions } = await ramal.api.get('/extensions', { token })
  expect(extensions).toMatchObject([{ ramal: number, domain, senha: password }])
  expect((await ramal.api.get('/credits/balance', { token })).body.available).toBeGreaterThan(0)
  for (const { ending, about } of scenarios) expect(text).toContain(`+55 48 99999-${ending}  ${about}`)
  expect(text).toContain(`ramal phone --api ${ramal.url} --extension ${number}@${domain}`)
  expect(readdirSync(laptop)).toEqual([])

  // A second run with the token shows the same extension, and not the token.
  const again = await sandbox({ RAMAL_URL: ramal.url, RAMAL_TOKEN: token }, '--json')
  expect(JSON.parse(again.text)).toMatchObject({
    account: { domain },
    extension: { number, password },
    sandboxCarrier: true,
    numbers: scenarios.map(({ about }) => ({ about })),
  })
  expect((await ramal.api.get('/extensions', { token })).body).toHaveLength(1)
})

test('D589: a service of this machine needs no token: PORT says where it is, and its data folder has the operator token', async () => {
  const inItsFolder = await runRamal(['sandbox', '--json'], { PORT: port }, atHome)
  expect([inItsFolder.code, JSON.parse(inItsFolder.text)]).toMatchObject([
    0,
    { url: `http://localhost:${port}`, token: expect.stringMatching(/^\w{64}$/) },
  ])
  const elsewhere = { RAMAL_URL: ramal.url, DATA_DIR: join(home.path, 'data') }
  expect(await sandbox(elsewhere)).toMatchObject({ code: 0, text: expect.stringMatching(/^Token +\w{64}$/m) })
  const byAddress = await runRamal(['sandbox'], { RAMAL_URL: 'http://ramal.example' }, atHome)
  expect([byAddress.code, byAddress.text]).toEqual([
    2,
    expect.stringMatching(/operator token of http:\/\/ramal/),
  ])
})

test.each([
  [
    'neither token',
    {},
    2,
    /^Set RAMAL_TOKEN to use your account\. A new one needs the operator token .*RAMAL_OPERATOR_TOKEN=\$\(cat data\/operator-token\)/,
  ],
  [
    'a wrong operator token',
    { RAMAL_OPERATOR_TOKEN: 'x'.repeat(40) },
    1,
    /refuses the operator token \(the one you gave\)\. Use its own: run it in the folder/,
  ],
  ['a wrong token', { RAMAL_TOKEN: 'x'.repeat(64) }, 1, /refuses the token/],
  [
    'a service that is not there',
    { RAMAL_TOKEN: 'x', RAMAL_URL: 'http://127.0.0.1:2' },
    1,
    /^No service answers/,
  ],
])('%s is a clear error', async (_, env: Record<string, string>, code, message) => {
  const ended = await sandbox({ RAMAL_URL: ramal.url, ...env })
  expect([ended.code, ended.text]).toEqual([code, expect.stringMatching(message)])
})

test('a service with a carrier is named as such, without numbers to play with; a USER without an extension gets a sentence that says so', async () => {
  const service = await startService({
    TRUNKS: '[{"name": "main", "address": "sip:127.0.0.1:1;transport=tcp"}]',
  })
  try {
    const ana = await openAccount(service)
    const bia = await addUser(service, ana)
    const { code, text } = await sandbox({ RAMAL_URL: service.url, RAMAL_TOKEN: bia.token })
    expect(code).toBe(0)
    expect(text).toContain('every call is real, and costs')
    expect(text).not.toContain('99999-0001')
    expect(text).toContain('There is no extension that this token may use')
  } finally {
    await service.stop()
  }
})
