/** Commands for a service elsewhere (D570, D572, D573) or on this machine (D589), from the archive as npm installs it in an empty folder. */
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { globSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { freePort } from '../helpers/programs/free-port.ts'
import { launch, makeDataDir, runRamal, startRamal } from '../helpers/programs/ramal-process.ts'
import { isSigned, startReceiver } from '../helpers/programs/receiver.ts'
import { byProgram, connect } from '../helpers/service/assistants.ts'
import { released } from './shipped-modules.ts'

const [archive = ''] = globSync(join(released, '../*.tgz'))
const laptop = mkdtempSync(join(tmpdir(), 'ramal-laptop-'))
const ramal = join(laptop, 'node_modules/.bin/ramal')
/** As a shell starts it: by its first line, with the Node of the machine. */
const where = { folder: laptop, node: '/usr/bin/env', program: ramal }
/** Where the service is started, with its data below. */
const home = makeDataDir()
let port = ''
let service: Awaited<ReturnType<typeof startRamal>>

beforeAll(async () => {
  execFileSync('npm', ['install', '--offline', '--silent', archive], { cwd: laptop })
  port = String(await freePort())
  service = await startRamal({ PORT: port }, { ...where, folder: home.path })
})
afterAll(async () => {
  await service?.kill('SIGTERM')
  home.remove()
  rmSync(laptop, { recursive: true })
})

test('sandbox and phone need no address and no token in the folder where the service was started', async () => {
  const env = { PORT: port }
  const atHome = { ...where, folder: home.path }
  const made = await runRamal(['sandbox', '--json'], env, atHome)
  expect([made.code, made.text]).toEqual([0, expect.stringContaining('"sandboxCarrier": true')])
  const { account, extension } = JSON.parse(made.text)
  const words = ['phone', '--extension', `${extension.number}@${account.domain}`]
  const phone = launch(words, { ...env, RAMAL_PASSWORD: extension.password }, atHome)
  onTestFinished(() => void phone.kill())
  await expect.poll(phone.text).toContain('registered as')
})

test('sandbox, phone, listen, mcp and trigger need the installed package, an address and a token, and nothing else', async () => {
  const files = readdirSync(laptop)
  const operatorToken = /[?]token=(\S+)/.exec(service.text())?.[1] ?? ''
  const url = { RAMAL_URL: service.url }
  const made = await runRamal(['sandbox', '--json'], { ...url, RAMAL_OPERATOR_TOKEN: operatorToken }, where)
  expect([made.code, made.text]).toEqual([0, expect.stringContaining('"sandboxCarrier": true')])
  const { token, account, extension } = JSON.parse(made.text)
  const env = { ...url, RAMAL_TOKEN: token }

  const words = ['phone', '--api', service.url, '--extension', `${extension.number}@${account.domain}`]
  const options = ['--answer', 'auto', '--once', '--background']
  const phone = launch([...words, ...options], { RAMAL_PASSWORD: extension.password }, where)
  expect([(await once(phone, 'exit'))[0], phone.text()]).toMatchObject([
    0,
    expect.stringContaining('registered as'),
  ])

  const receiver = await startReceiver()
  onTestFinished(() => receiver.stop())
  const listening = launch(['listen', '--forward-to', receiver.url], env, where)
  const over = once(listening, 'close')
  onTestFinished(() => void listening.kill())
  await expect.poll(listening.text).toMatch(/^Secret of the signatures: whsec_/m)
  const [, secret = ''] = /(whsec_\S+)/.exec(listening.text()) ?? []

  const { use } = await connect(byProgram([ramal]), { url: service.url, token }, { allow: '5548*' })
  const called = '+55 48 99999-0009'
  const { value: placed } = await use('place_call', { extension: extension.number, called })
  expect(placed).toMatchObject({ placed: true })
  const typesReceived = () => receiver.received.map(({ body }) => body.eventType)
  await expect.poll(typesReceived).toContain('channel-answer')
  expect((await use('hang_up', { id: placed.id })).isError).toBe(false)
  await expect.poll(typesReceived).toContain('channel-hangup')

  const before = receiver.received.length
  const triggered = await runRamal(
    ['trigger', 'charge-paid', '--forward-to', receiver.url],
    { RAMAL_TOKEN: token },
    where,
  )
  expect([triggered.code, triggered.text]).toEqual([0, expect.stringContaining('200 in')])
  expect(receiver.received.slice(before).map(({ body }) => body.eventType)).toContain('charge-paid')
  expect(receiver.received.filter((one) => !isSigned(one, secret))).toEqual([])

  listening.kill('SIGINT')
  expect(await over).toEqual([0, null])
  expect(readdirSync(laptop)).toEqual(files)
})
