/** Every program of samples/, run against the service as a reader would run it, with a phone that answers. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { basename, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, onTestFinished, type TestContext, test } from 'vitest'
import { type Office, openOffice } from '../clients/office.ts'
import { installClient, type Language } from '../clients/packed-clients.ts'
import { freePort } from '../helpers/programs/free-port.ts'
import { programMissing } from '../helpers/programs/programs.ts'
import { makeDataDir, startRamal } from '../helpers/programs/ramal-process.ts'
import { filter } from '../helpers/service/client.ts'
import { startCgiServer } from './cgi-server.ts'

const samples = fileURLToPath(new URL('../../samples/', import.meta.url))
const data = makeDataDir()

type Sample = {
  language: string
  program: string
  /** Whose package it imports. */
  client?: Language
  fileOf: (name: string) => string
}
const all: Sample[] = [
  { language: 'curl', program: 'sh', fileOf: (name) => `${name}/${name}.sh` },
  { language: 'JavaScript', program: 'node', client: 'typescript', fileOf: (name) => `${name}/${name}.mjs` },
  {
    language: 'Python',
    program: 'python3',
    client: 'python',
    fileOf: (name) => `${name}/${name.replaceAll('-', '_')}.py`,
  },
  { language: 'PHP', program: 'php', client: 'php', fileOf: (name) => `${name}/${name}.php` },
]
const present = all.filter(({ program }) => !programMissing(program === 'sh' ? 'curl' : program))

let ramal: Awaited<ReturnType<typeof startRamal>>
/** By language: where its client is installed, and an account whose phone answers. */
const homes = new Map<string, { home: string; remove: () => void }>()
const offices = new Map<string, Office>()
beforeAll(async () => {
  ramal = await startRamal({ DATA_DIR: data.path, WEBHOOK_ALLOW_PRIVATE: 'true' })
  await Promise.all(
    present.map(async ({ language, client }) => {
      if (client) homes.set(language, await installClient(client))
      const office = await openOffice(ramal, language.toLowerCase())
      offices.set(language, office)
      const nobody = { ramal: '1001', senha: 'nobody is here', first_name: 'Bia', last_name: 'Lima' }
      await ramal.api.post('/extensions', { ...nobody, email_address: office.email }, office.admin)
    }),
  )
})
afterAll(async () => {
  for (const office of offices.values()) await office.stop()
  await ramal.kill('SIGTERM')
  for (const { remove } of homes.values()) remove()
  data.remove()
})

function officeOf({ language }: Sample): Office {
  const office = offices.get(language)
  if (!office) throw new Error(`${language} was not prepared`)
  return office
}

/** Starts a sample in a folder where its client is installed. */
function start(sample: Sample, name: string, args: string[], env = {}, before: string[] = []) {
  const { language, program, fileOf } = sample
  const file = fileOf(name)
  const home = homes.get(language)?.home ?? samples
  if (home !== samples) cpSync(join(samples, file), join(home, basename(file)))
  const child = spawn(program, [...before, home === samples ? file : basename(file), ...args], {
    cwd: home,
    env: {
      PATH: process.env.PATH ?? '',
      PYTHONPATH: 'packages',
      PYTHONDONTWRITEBYTECODE: '1',
      RAMAL_URL: ramal.url,
      RAMAL_TOKEN: officeOf(sample).admin.token,
      ...env,
    },
  })
  return child
}

const run = (sample: Sample, name: string, ...args: string[]) => runWith({}, sample, name, ...args)

async function runWith(env: Record<string, string>, sample: Sample, name: string, ...args: string[]) {
  const child = start(sample, name, args, env)
  const [output, errors, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ])
  return { code, output, errors }
}

/** Answers after 2 s and hangs up after 3 s more: whole seconds are counted. */
const short = '+55 48 99999-0103'
const busy = '+55 48 99999-0002'

const patience = { timeout: 30_000 }

/** Tests of one program, in their order. */
const inTurn = { concurrent: false }

// Most of their time they wait for calls: the languages do so side by side.
describe.concurrent.each(present)('in $language', (sample) => {
  const findCall = async (id: string) => (await ramal.api.get(`/calls/${id}`, officeOf(sample).admin)).body

  test('click to call places the call, and says so if no phone is registered', inTurn, async ({ expect }) => {
    const { code, output, errors } = await run(sample, 'click-to-call', '1000', short)
    expect([code, errors]).toEqual([0, ''])
    const [id = ''] = /[0-9a-f-]{36}/.exec(output) ?? []
    expect(await findCall(id)).toMatchObject({
      from: '1000',
      to: '5548999990103',
      metadata: { source: 'click' },
    })
    const refused = await run(sample, 'click-to-call', '1001', short)
    expect(refused.code).not.toBe(0)
    expect(`${refused.output}${refused.errors}`).toMatch(
      /No phone is registered to 1001|EXTENSION_NOT_REGISTERED/,
    )
    await expect.poll(async () => (await findCall(id)).ended_at, { timeout: 60_000 }).not.toBeNull()
  })

  test(
    'the power dialer waits for each end, and goes on after a number that cannot be called',
    inTurn,
    async ({ expect }) => {
      const { code, output, errors } = await run(sample, 'power-dialer', '1000', short, '12', busy)
      expect([code, errors]).toEqual([0, ''])
      const [first, second, third, ...more] = output.trim().split('\n')
      expect(first).toMatch(/^\+55 48 99999-0103 NORMAL_CLEARING [1-9]\d* s, R\$ \d+(\.\d+)?$/)
      expect(second).toMatch(/^12 not called: [A-Z_]+$/)
      expect(third).toBe(`${busy} USER_BUSY 0 s, R$ 0`)
      expect(more).toEqual([])
    },
  )

  test(
    'the power dialer goes on through its list where the service cannot be reached',
    inTurn,
    async ({ expect }) => {
      const nowhere = `http://127.0.0.1:${await freePort()}`
      const { code, output } = await runWith(
        { RAMAL_URL: nowhere },
        sample,
        'power-dialer',
        '1000',
        short,
        busy,
      )
      expect(code).toBe(0)
      expect(output.trim().split('\n')).toEqual(
        [short, busy].map((number) =>
          expect.stringMatching(new RegExp(`^\\${number} unknown: .*${nowhere}`)),
        ),
      )
    },
  )

  test('the list has the answered calls of the extension, the longest first', inTurn, async ({ expect }) => {
    const { admin } = officeOf(sample)
    const where = { from: '1000', status: 'completed', duration: { gt: 0 } }
    const query = filter({ where, order: 'duration DESC', limit: 1000 })
    const { body } = await ramal.api.get(`/calls?${query}`, admin)
    type Call = { id: string; to: string; duration: number }
    const expected = body.data.map(({ id, to, duration }: Call) => `${id},${to},${duration}`)
    expect(expected.length).toBeGreaterThan(1)
    const { code, output } = await run(sample, 'list-calls', '1000')
    const lines = output.trim().split(/\r?\n/)
    expect([code, lines.filter((line) => line !== 'id,to,duration').sort()]).toEqual([0, expected.sort()])
    const seconds = lines.map((line) => Number(line.split(',')[2])).filter((one) => !Number.isNaN(one))
    expect(seconds).toEqual(seconds.toSorted((one, other) => other - one))
    expect((await run(sample, 'list-calls', '1001')).output).not.toMatch(/[0-9a-f-]{36}/)
  })

  test(
    'the receiver takes a delivery of the service, and refuses one that somebody else made',
    inTurn,
    async (t) => {
      const { expect } = t
      const { admin } = officeOf(sample)
      const port = await freePort()
      const webhook = { webhookUrl: `http://127.0.0.1:${port}/hook`, webhookTypes: ['channel-hangup'] }
      const { body: integration } = await ramal.api.patch(
        '/integrations',
        { gateway: `${sample.language} ${port}`, webhook: true, metadata: webhook },
        admin,
      )
      const received = await startReceiver(t, sample, port, integration.secret)
      const forged = await fetch(`http://127.0.0.1:${port}/hook`, {
        method: 'POST',
        headers: {
          'webhook-id': 'msg_1',
          'webhook-timestamp': String(Math.floor(Date.now() / 1000)),
          'webhook-signature': 'v1,AAAA',
        },
        body: '{"eventType":"test","id":"forged"}',
      })
      expect([forged.status, await forged.text()]).toEqual([
        401,
        expect.stringContaining('no signature fits'),
      ])
      const { body: delivery } = await ramal.api.post(
        `/integrations/${integration.id}/test`,
        undefined,
        admin,
      )
      await expect.poll(received, patience).toBe(`test ${delivery.callId}\n`)
      const deliveries = async () =>
        (await ramal.api.get(`/integrations/${integration.id}/deliveries?page=1`, admin)).body.data
      await expect
        .poll(async () => (await deliveries())[0], patience)
        .toMatchObject({ status: 'delivered', lastStatus: 204 })
    },
  )
})

test.skipIf(programMissing('curl'))(
  'the power dialer in curl asks again after a request for the state of a call that failed',
  async () => {
    const call = { id: 'c1', ended_at: '2026-11-18T12:00:00Z', hangup_cause: 'NORMAL_CLEARING', duration: 4 }
    let failures = 1
    const server = createServer((request, response) => {
      if (request.method === 'POST') response.end(JSON.stringify({ id: call.id }))
      else if (failures-- > 0) request.socket.destroy()
      else response.end(JSON.stringify({ ...call, call_price: 0.06 }))
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => void server.close())
    const { port } = server.address() as AddressInfo
    const [curl] = all
    if (!curl) throw new Error('The samples in curl are missing.')
    const ran = await runWith({ RAMAL_URL: `http://127.0.0.1:${port}` }, curl, 'power-dialer', '1000', short)
    expect(ran).toEqual({ code: 0, output: `${short} NORMAL_CLEARING 4 s, R$ 0.06\n`, errors: '' })
  },
)

test.skipIf(programMissing('curl'))(
  'the power dialer in curl waits after too many requests, and repeats with the same key',
  async () => {
    const call = { id: 'c1', ended_at: '2026-11-18T12:00:00Z', hangup_cause: 'USER_BUSY', duration: 0 }
    const keys: unknown[] = []
    const server = createServer((request, response) => {
      if (request.method !== 'POST') return response.end(JSON.stringify({ ...call, call_price: 0 }))
      keys.push(request.headers['idempotency-key'])
      if (keys.length > 1) return response.end(JSON.stringify({ id: call.id }))
      response.writeHead(429, { 'retry-after': '1' }).end('{"error":{"errorCode":"RATE_LIMITED"}}')
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => void server.close())
    const { port } = server.address() as AddressInfo
    const [curl] = all
    if (!curl) throw new Error('The samples in curl are missing.')
    const ran = await runWith({ RAMAL_URL: `http://127.0.0.1:${port}` }, curl, 'power-dialer', '1000', busy)
    expect(ran).toEqual({ code: 0, output: `${busy} USER_BUSY 0 s, R$ 0\n`, errors: '' })
    expect(keys).toEqual([expect.stringMatching(/^dialer-/), keys[0]])
  },
)

test.each(all.flatMap(({ client, fileOf }) => (client ? [{ client, file: fileOf('receive-webhook') }] : [])))(
  'the README of the $client client shows the receiver that is tested here',
  ({ client, file }) => {
    const readme = readFileSync(new URL(`../../clients/${client}/README.md`, import.meta.url), 'utf8')
    const [, shown = ''] = /^```\w+ webhook\n([\s\S]+?)^```/m.exec(readme) ?? []
    expect(shown.trim()).toBe(readFileSync(join(samples, file), 'utf8').trim())
  },
)

/** Returns what it has printed. */
async function startReceiver(
  { onTestFinished, expect }: TestContext,
  sample: Sample,
  port: number,
  secret: string,
): Promise<() => string> {
  if (sample.program === 'sh') {
    const server = await startCgiServer(join(samples, sample.fileOf('receive-webhook')), port, secret)
    onTestFinished(() => server.stop())
    return server.events
  }
  const before = sample.program === 'php' ? ['-S', `127.0.0.1:${port}`] : []
  const env = { PORT: String(port), WEBHOOK_SECRET: secret }
  const child = start(sample, 'receive-webhook', [], env, before)
  let printed = ''
  child.stdout.on('data', (chunk) => {
    printed += chunk
  })
  child.stderr.resume()
  onTestFinished(async () => {
    const over = once(child, 'exit')
    child.kill('SIGKILL')
    await over
  })
  const isListening = async () => {
    const answered = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: '{}' }).catch(
      () => undefined,
    )
    return answered?.status
  }
  await expect.poll(isListening, { timeout: 30_000 }).toBe(401)
  return () => printed
}
