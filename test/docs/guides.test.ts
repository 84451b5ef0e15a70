/** The guides in docs/: what they name exists, and the receivers they offer take real deliveries only. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { settings } from '../../src/config/settings.ts'
import { eventTypes } from '../../src/contract/webhooks/events.ts'
import type { ApiDocument } from '../../src/http/reference/document.ts'
import { systemClock } from '../../src/kit/clock.ts'
import { faultsOf } from '../helpers/description/api-description.ts'
import { freePort } from '../helpers/programs/free-port.ts'
import { programMissing } from '../helpers/programs/programs.ts'
import { type Received, type Receiver, startReceiver } from '../helpers/programs/receiver.ts'
import { openAccount } from '../helpers/service/people.ts'
import { type Service, startService } from '../helpers/service/service.ts'

const docs = new URL('../../docs/', import.meta.url)
const samples = fileURLToPath(new URL('samples/', docs))
const guides = [
  'console.md',
  'phones.md',
  'webrtc.md',
  'deploying.md',
  'operating.md',
  'capacity.md',
  'scale.md',
  'webhooks.md',
  'migrating.md',
  'mcp.md',
]
/** D570: of verbs that use a service elsewhere. */
const ofRemoteVerbs = ['URL', 'TOKEN', 'OPERATOR_TOKEN', 'FORWARD_TO', 'WEBHOOK_SECRET'].map(
  (name) => `RAMAL_${name}`,
)
const read = (guide: string) => readFileSync(new URL(guide, docs), 'utf8')

let service: Service
let description: ApiDocument

beforeAll(async () => {
  // Receivers compare the time of a delivery with their own.
  service = await startService({ WEBHOOK_ALLOW_PRIVATE: 'true' }, { clock: systemClock })
  description = (await service.api.get('/openapi.json')).body
})
afterAll(() => service.stop())

describe.each(guides)('%s', (guide) => {
  const text = read(guide)

  test('names settings, routes and files that exist', () => {
    const names = [...text.matchAll(/`([A-Z][A-Z_]+_[A-Z_]+|HOST|PORT|ROLES|RECORDINGS)(?:=[^`]*)?`/g)].map(
      ([, name]) => name,
    )
    const codes = description.components.schemas.Error?.properties?.error?.properties?.code?.enum ?? []
    const known = [...Object.keys(settings), ...codes, ...ofRemoteVerbs, 'ALLOTTED_TIMEOUT']
    expect(names.filter((name) => !known.includes(name))).toEqual([])

    const routes = [...text.matchAll(/`(GET|POST|PATCH|PUT|DELETE) (\/[\w/{}.-]*)/g)]
    const missing = routes.filter(
      ([, method = '', path = '']) => !description.paths[path]?.[method.toLowerCase()],
    )
    expect(missing.map(([route]) => route)).toEqual([])

    const links = [...text.matchAll(/\]\(([^)#]+)\)/g)].map(([, link = '']) => link)
    expect(links.filter((link) => !existsSync(new URL(link, docs)))).toEqual([])
  })
})

test('webhooks.md lists every type of event', () => {
  const rows = [...read('webhooks.md').matchAll(/^\| `([\w-]+)` \| ([^|]+) \| ([^|]+) \|$/gm)]
  expect(rows.map(([, type, about, audience]) => ({ type, about, audience }))).toEqual(
    eventTypes.map(({ type, about, audience }) => ({
      type,
      about,
      audience: audience === 'admins' ? 'ADMINs' : 'the user, ADMINs',
    })),
  )
})

test('the Containerfile copies what is there', () => {
  const text = read('../Containerfile')
  // What another stage of the build made is not in the repository.
  const copied = [...text.matchAll(/^COPY (?!--from=)(.+) \S+$/gm)].flatMap(([, files = '']) =>
    files.split(' '),
  )
  expect(copied).toContain('package-lock.json')
  expect(copied.filter((file) => !existsSync(new URL(`../${file}`, docs)))).toEqual([])
})

const languages = [
  { program: 'node', command: ['webhook-receiver.mjs'] },
  { program: 'python3', command: ['webhook_receiver.py'] },
  { program: 'php', command: ['-S', '127.0.0.1:PORT', 'webhook-receiver.php'] },
]

describe('a delivery of the service', () => {
  let genuine: Received
  let secret: string
  let receiver: Receiver

  beforeAll(async () => {
    receiver = await startReceiver()
    const admin = await openAccount(service)
    const metadata = { webhookUrl: receiver.url, webhookTypes: ['channel-hangup'] }
    const integration = { gateway: 'sample', webhook: true, metadata }
    const { body } = await service.api.patch('/integrations', integration, admin)
    secret = body.secret
    await service.api.post(`/integrations/${body.id}/test`, undefined, admin)
    const [first] = await receiver.until(1)
    if (!first) throw new Error('nothing was delivered')
    genuine = first
  })
  afterAll(() => receiver.stop())

  test('has the headers and the body that the API description shows', () => {
    const schema = description.webhooks.test?.post?.requestBody?.content['application/json']?.schema
    expect(faultsOf(description, schema, genuine.body)).toEqual([])
    const { properties = {} } = description.components.schemas.EndedCallEvent ?? {}
    // D284: the quality is that of calls with sound, and this one had none.
    const names = Object.keys(properties).filter((name) => name !== 'quality')
    expect(Object.keys(genuine.body)).toEqual(names)
    expect(genuine.headers).toMatchObject({ 'content-type': 'application/json' })
  })

  describe.each(languages)('in $program', ({ program, command }) => {
    test.skipIf(programMissing(program))(
      'is accepted, and refused when changed, old or of another secret',
      async () => {
        const port = await freePort()
        const started = await startSample(program, command, port, secret)
        const send = (change: Partial<Received>, headers = {}) =>
          post(port, { ...genuine, ...change, headers: { ...genuine.headers, ...headers } })
        try {
          expect(await send({})).toBe(204)
          expect(
            await send({}, { 'webhook-signature': `v1,AAAA ${genuine.headers['webhook-signature']}` }),
          ).toBe(204)
          expect(await send({ text: genuine.text.replace('test', 'fake') })).toBe(401)
          expect(await send({}, { 'webhook-id': 'msg_2' })).toBe(401)
          expect(await send({}, { 'webhook-timestamp': '1763209800' })).toBe(401)
          expect(await send({}, { 'webhook-signature': '' })).toBe(401)
        } finally {
          await stop(started)
        }
        const other = await startSample(program, command, port, 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw')
        try {
          expect(await send({})).toBe(401)
        } finally {
          await stop(other)
        }
      },
    )
  })
})

async function startSample(program: string, command: string[], port: number, secret: string) {
  const env = { ...process.env, PORT: String(port), WEBHOOK_SECRET: secret }
  const words = command.map((word) => word.replace('PORT', String(port)))
  const child = spawn(program, words, { cwd: samples, env, stdio: 'ignore' })
  await expect.poll(() => isListening(port), { timeout: 20_000 }).toBe(true)
  return child
}

async function isListening(port: number): Promise<boolean> {
  const answer = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: '{}' }).catch(
    () => undefined,
  )
  return answer?.status === 401
}

async function stop(child: ChildProcess) {
  const over = once(child, 'exit')
  child.kill('SIGKILL')
  await over
}

async function post(port: number, { headers, text }: Received): Promise<number> {
  const sent = Object.entries(headers).filter(
    ([name]) => name.startsWith('webhook-') || name === 'content-type',
  )
  const answer = await fetch(`http://127.0.0.1:${port}/hook`, {
    method: 'POST',
    headers: Object.fromEntries(sent),
    body: text,
  })
  return answer.status
}
