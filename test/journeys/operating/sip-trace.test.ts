/** D660: the operator reads the SIP messages of a call of real phones. */
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { programMissing } from '../../helpers/programs/programs.ts'
import { accountIdOf, insertCalls } from '../../helpers/service/call-rows.ts'
import { createClient, fetchAsOperator } from '../../helpers/service/client.ts'
import type { openAccount } from '../../helpers/service/people.ts'
import type { Service } from '../../helpers/service/service.ts'
import { openCarrier } from '../../sip/engine/test-carrier.ts'
import { openTracedAccount, startTracedPhone, startTracedService, type TracedPhone } from './traced-calls.ts'

const called = '5548999990000'
const closers: (() => unknown)[] = []
const scope = { onTestFinished: (close: unknown) => void closers.push(close as () => unknown) }
let service: Service
let carrier: Awaited<ReturnType<typeof openCarrier>>
let account: Awaited<ReturnType<typeof openAccount>>

beforeAll(async () => {
  carrier = await openCarrier(scope, { answers: true })
  service = await startTracedService(carrier, { RTP_PORTS: '29000-29199' })
  account = await openTracedAccount(service)
})
afterAll(async () => {
  await service?.stop()
  for (const close of closers) await close()
})

const operator = () =>
  createClient(`${service.url}/operator/api`, fetchAsOperator(service.app.operatorToken?.token ?? ''))

const startPhone = () => startTracedPhone(service, account)

type Message = { firstLine: string; text: string } & Record<string, unknown>

/** Once the responses to the last requests have come and the job has run. */
async function traceOf(id: string): Promise<{ messages: Message[] } & Record<string, unknown>> {
  await expect
    .poll(async () => (await operator().get(`/calls/${id}/sip`)).status, { timeout: 20_000 })
    .toBe(200)
  return (await operator().get(`/calls/${id}/sip`)).body
}

/** A call that the phone dials, from its INVITE without credentials to its BYE. */
async function dial(phone: TracedPhone): Promise<string> {
  expect(await phone.call(called)).toBe(true)
  await phone.until(({ type }) => type === 'answered', { within: 20_000 })
  const id = carrier.arrived.at(-1)?.callId ?? ''
  phone.hangUp()
  return id
}

test('a dialled call: the challenge, both dialogs and the end in order, with addresses and without secrets', async () => {
  const phone = await startPhone()
  try {
    const id = await dial(phone)
    const trace = await traceOf(id)
    const at = (party: string, direction: string, begin: RegExp) =>
      trace.messages.findIndex(
        (one) => one.party === party && one.direction === direction && begin.test(one.firstLine),
      )
    const steps = [
      at('extension', 'received', /^INVITE /),
      at('extension', 'sent', /^SIP\/2\.0 407 /),
      at('carrier', 'sent', /^INVITE sip:\+?5548999990000@/),
      at('carrier', 'received', /^SIP\/2\.0 200 /),
      at('extension', 'sent', /^SIP\/2\.0 200 /),
      at('extension', 'received', /^BYE /),
      at('carrier', 'sent', /^BYE /),
    ]
    expect(steps).not.toContain(-1)
    expect(steps).toEqual([...steps].sort((one, other) => one - other))
    expect(trace.messages.at(-1)?.firstLine).toMatch(/^SIP\/2\.0 200/)
    expect(trace).toMatchObject({ id, leftOut: 0 })
    expect(trace.messages[0]).toMatchObject({
      afterMs: 0,
      side: 'extension',
      transport: 'udp',
      node: service.app.node.id,
      local: expect.stringMatching(/^127\.0\.0\.1:\d+$/),
    })
    const credentials = trace.messages.filter(({ text }) => text.includes('\r\nProxy-Authorization: Digest'))
    expect(credentials).not.toHaveLength(0)
    for (const { text } of credentials) {
      expect(text).toContain('username="1000"')
      expect(text).toMatch(/\bresponse=x+/)
    }
    const stored = await service.db
      .selectFrom('sip_traces')
      .select('messages')
      .where('call_id', '=', id)
      .execute()
    expect(stored).toHaveLength(1)
    expect(stored[0]?.messages.length).toBeLessThan(4_000)
  } finally {
    await phone.stop()
  }
}, 90_000)

test('a call placed over the API; the capture file is read by tcpdump', async () => {
  const phone = await startPhone()
  try {
    const { body } = await service.api.post('/calls', { extension: '1000', called }, account)
    await expect
      .poll(() => carrier.arrived.some(({ callId }) => callId === body.id), { timeout: 20_000 })
      .toBe(true)
    const early = await operator().get(`/calls/${body.id}/sip`)
    expect([early.status, early.body.error.message]).toEqual([
      404,
      'This call is not over. Its SIP messages are stored some seconds after its end.',
    ])
    expect((await operator().get(`/calls/${body.id}`)).body).toMatchObject({ id: body.id, endedAt: null })
    await service.api.post(`/calls/${body.id}/hangup`, undefined, account)
    const { messages } = await traceOf(body.id)
    expect(messages[0]).toMatchObject({ direction: 'sent', side: 'extension', party: 'extension' })
    expect(messages[0]?.firstLine).toMatch(/^INVITE sip:1000@/)

    const token = service.app.operatorToken?.token ?? ''
    const file = await fetchAsOperator(token)(`${service.url}/operator/api/calls/${body.id}/sip.pcap`)
    expect([file.status, file.headers.get('content-type'), file.headers.get('content-disposition')]).toEqual([
      200,
      'application/vnd.tcpdump.pcap',
      `attachment; filename="call-${body.id}.pcap"`,
    ])
    if (programMissing('tcpdump')) return
    const path = join(service.dataDir, 'call.pcap')
    writeFileSync(path, Buffer.from(await file.arrayBuffer()))
    const print = execFileSync('tcpdump', ['-n', '-q', '-r', path], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    expect(print.trim().split('\n')).toHaveLength(messages.length)
    expect(print).toMatch(new RegExp(`127\\.0\\.0\\.1\\.\\d+ > 127\\.0\\.0\\.1\\.${carrier.port}: UDP`))
  } finally {
    await phone.stop()
  }
}, 90_000)

test.each([crypto.randomUUID(), 'x'])(
  'of a call that does not exist (%s) all routes answer 404',
  async (id) => {
    for (const path of [`/calls/${id}/sip`, `/calls/${id}/sip.pcap`]) {
      const { status, body } = await operator().get(path)
      expect([status, body.error.code, body.error.message]).toEqual([
        404,
        'ROUTE_NOT_FOUND',
        'There are no SIP messages: no call has this id.',
      ])
    }
    const { status, body } = await operator().get(`/calls/${id}`)
    expect([status, body.error.code, body.error.message]).toEqual([
      404,
      'CALL_NOT_FOUND',
      'There is no call with this id.',
    ])
  },
)

test('of a call without messages the refusal says whether they were removed or never stored', async () => {
  const dayMs = 86_400_000
  const endedBefore = (days: number) => {
    const ended_at = new Date(Date.now() - days * dayMs)
    return { domain: account.domain, started_at: ended_at, ended_at }
  }
  const accountId = await accountIdOf(service.db, account.domain)
  const [old = '', recent = ''] = await insertCalls(service.db, accountId, [
    endedBefore(3.1),
    endedBefore(2.9),
  ])
  const refusalOf = async (id: string) => (await operator().get(`/calls/${id}/sip`)).body.error.message
  expect(await refusalOf(old)).toBe('The SIP messages of this call have been removed: SIP_TRACE_DAYS is 3.')
  expect(await refusalOf(recent)).toMatch(/^This call has no SIP messages: it has just ended, /)
})

test('messages are for the operator alone', async () => {
  const path = `/operator/api/calls/${crypto.randomUUID()}/sip`
  expect((await createClient(service.url).get(path)).status).toBe(401)
  expect((await createClient(service.url).get(path, account)).status).toBe(401)
})

test('SIP_TRACE_DAYS=0 collects none', async () => {
  const off = await startTracedService(carrier, { SIP_TRACE_DAYS: '0', RTP_PORTS: '29200-29299' })
  try {
    expect(off.app.jobs.names).not.toContain('SIP messages')
    expect(off.app.voice.metrics()).not.toHaveProperty('sip_trace_bytes')
    const path = `${off.url}/operator/api/calls/${crypto.randomUUID()}/sip`
    const answer = await fetchAsOperator(off.app.operatorToken?.token ?? '')(path)
    const { error } = (await answer.json()) as { error: { message: string } }
    expect([answer.status, error.message]).toEqual([
      404,
      'The service collects no SIP messages: SIP_TRACE_DAYS is 0.',
    ])
  } finally {
    await off.stop()
  }
})
