/** Spec §4.1: calls placed and hung up over the API (D1-D14). */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Cause } from '../../../src/contract/calls/causes.ts'
import { addUser } from '../../helpers/people.ts'
import {
  allowDuplicate,
  type Office,
  openOffice,
  startVoiceService,
  type VoiceService,
} from '../../helpers/voice.ts'

let service: VoiceService
let office: Office

beforeAll(async () => {
  service = await startVoiceService()
  office = await openOffice(service)
  await office.addExtension('1001', { first_name: 'Beto', last_name: 'Lima', gravar_audio: 1 })
})
afterAll(() => service.stop())
beforeEach(() => service.engine.behave(() => ['rings']))

const called = '5548999998888'
const callRequest = { extension: '1000', called }

const place = (body: object = callRequest, headers: Record<string, string> = {}) =>
  service.api.post('/calls', body, { token: office.token, headers: { ...allowDuplicate, ...headers } })
const hangUp = (id: string, who: { token: string } = office) =>
  service.api.post(`/calls/${id}/hangup`, undefined, who)
const row = (id: string) =>
  service.db.selectFrom('calls').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const rows = async () => (await service.db.selectFrom('calls').select('id').execute()).length
const placing = () => {
  const newest = service.engine.requests().at(-1)
  if (!newest) throw new Error('nothing was placed')
  return newest
}

/** Places a call and brings it to a stage. */
async function placeUntil(stage: 'ringing' | 'connecting' | 'answered'): Promise<string> {
  const { id } = (await place()).body
  if (stage !== 'ringing') service.engine.pickUp(id)
  if (stage === 'answered') service.engine.answer(id)
  await expect.poll(async () => (await row(id)).status).toBe(stage)
  return id
}

describe('placing', () => {
  test('answers status, message and the id of the call (D3, D4)', async () => {
    const { status, body } = await place()
    expect(status).toBe(200)
    expect(body).toEqual({ status: '200', message: 'successful request', id: expect.any(String) })
    expect(body.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/)
    expect(placing().callId).toBe(body.id)
  })

  test('stores who called whom, as it was then', async () => {
    const { body } = await place({ ...callRequest, caller: '1000', metadata: { lead: 7 } })
    const { body: me } = await service.api.get('/users/me', office)
    // D6: the answer comes before its ringing is stored.
    await expect.poll(async () => (await row(body.id)).status).toBe('ringing')
    expect(await row(body.id)).toMatchObject({
      call_type: 'outbound',
      domain: office.domain,
      user_uuid: me.uuid,
      from_number: '1000',
      to_number: called,
      caller_number: '554833334444',
      first_name: 'Ana',
      last_name: 'Souza',
      email: office.email,
      record: false,
      metadata: { lead: 7 },
      started_at: service.clock.now(),
      ringing_at: service.clock.now(),
      node: service.app.node.id,
    })
  })

  test('gives the engine the extension to ring, the number to dial and the caller IDs to show (D11)', async () => {
    const { body } = await place()
    expect(placing()).toEqual({
      callId: body.id,
      extension: office.extension('1000'),
      // What the phone keeps in its history can be dialled back.
      shown: { number: called, name: called },
      destination: { number: called },
      presented: { number: '554833334444' },
      record: false,
      limits: { ring: 45, answer: 60, talk: 14_400 },
    })
  })

  test('a USER may place and hang up calls (D54)', async () => {
    const agent = await addUser(service, office)
    await office.addExtension('1002', { email_address: agent.email })
    const own = { ...callRequest, extension: '1002' }
    const { status, body } = await service.api.post('/calls', own, agent)
    expect(status).toBe(200)
    expect((await hangUp(body.id, agent)).status).toBe(200)
  })

  test.each(['extension', 'called'])('%s is required', async (field) => {
    const { status, body } = await place({ ...callRequest, [field]: undefined })
    expect([status, body.error.details.codes]).toEqual([422, { [field]: ['presence'] }])
  })
})

describe('the answer (D6, D8)', () => {
  const busy: [Cause, string][] = [
    ['USER_BUSY', 'busy'],
    ['CALL_REJECTED', 'failed'],
    ['SUBSCRIBER_ABSENT', 'failed'],
  ]

  test.each(busy)(
    'is 424 when the phone refuses with %s; the call is recorded as %s',
    async (cause, status) => {
      service.engine.behave(() => [{ ends: cause, by: 'extension' }])
      const { status: http, body } = await place()
      expect([http, body.error.code]).toEqual([424, 'CALL_FAILED'])
      expect(body.error.message).toBe(`call from 1000 to ${called} has been failed`)
      expect(await row(placing().callId)).toMatchObject({
        status,
        hangup_cause: cause,
        ended_by: 'extension',
      })
    },
  )

  test('is 200 when the phone answers without ringing', async () => {
    service.engine.behave(() => ['picksUp'])
    expect((await place()).status).toBe(200)
  })

  test('is 200 once it has rung, whatever comes next', async () => {
    service.engine.behave(() => ['rings', { ends: 'USER_BUSY', by: 'extension' }])
    const { status, body } = await place()
    expect(status).toBe(200)
    await expect.poll(async () => (await row(body.id)).status).toBe('busy')
  })

  /** The engine has the call, and its phone does nothing yet. */
  async function beginPlacing() {
    service.engine.behave(() => [])
    const before = service.engine.requests().length
    const answer = place()
    await expect.poll(() => service.engine.requests().length).toBe(before + 1)
    return { answer, callId: placing().callId }
  }

  test('is 200 as soon as it rings, before that is stored', async () => {
    const { answer, callId } = await beginPlacing()
    await service.db.transaction().execute(async (tx) => {
      await tx.selectFrom('calls').select('id').where('id', '=', callId).forUpdate().execute()
      service.engine.ring(callId)
      expect((await answer).status).toBe(200)
      expect((await row(callId)).status).toBe('queued')
    })
    await expect.poll(async () => (await row(callId)).status).toBe('ringing')
  })

  test('is 200 after two seconds of silence', async () => {
    const { answer } = await beginPlacing()
    service.timers.advance(1_999)
    service.timers.advance(1)
    const { status, body } = await answer
    expect([status, (await row(body.id)).status]).toEqual([200, 'queued'])
  })
})

describe('the extension (D7)', () => {
  test('that does not exist is 422 and leaves no record', async () => {
    const before = await rows()
    const { status, body } = await place({ ...callRequest, extension: '4242' })
    expect([status, body.error.code]).toEqual([422, 'EXTENSION_UNKNOWN'])
    expect(await rows()).toBe(before)
  })

  test('of another account is unknown', async () => {
    const neighbour = await openOffice(service)
    await neighbour.addExtension('2000')
    expect((await place({ ...callRequest, extension: '2000' })).body.error.code).toBe('EXTENSION_UNKNOWN')
  })

  test('without a phone is 422 and leaves no record', async () => {
    service.engine.forget(office.extension('1001'))
    const before = await rows()
    const { status, body } = await place({ ...callRequest, extension: '1001' })
    expect([status, body.error.code]).toEqual([422, 'EXTENSION_NOT_REGISTERED'])
    expect(body.error.message).toContain('user not registered')
    expect(await rows()).toBe(before)
    service.engine.register(office.extension('1001'))
  })
})

describe('the number (D10)', () => {
  test.each(['+55 48 99999-8888', '5548999998888', '48999998888', '048 99999 8888', '(48) 99999.8888'])(
    '%s is stored and dialled as 5548999998888',
    async (text) => {
      const { body } = await place({ ...callRequest, called: text })
      expect((await row(body.id)).to_number).toBe('5548999998888')
      expect(placing().destination).toEqual({ number: '5548999998888' })
    },
  )

  test.each(['190', '1 9 0', '192', '193', '112', '911', '0900 123 4567', '+1 900 234 5678'])(
    '%s is refused: it saves lives or costs a fortune',
    async (text) => {
      const { status, body } = await place({ ...callRequest, called: text })
      expect([status, body.error.details?.codes]).toEqual([422, { called: ['exclusion'] }])
    },
  )

  test.each(['*97', '**2001', '#21#'])('%s is refused as a feature code (D422)', async (text) => {
    const { status, body } = await place({ ...callRequest, called: text })
    expect([status, body.error.details?.codes]).toEqual([422, { called: ['exclusion'] }])
    expect(JSON.stringify(body.error.details.messages)).toContain('feature code')
  })

  test.each(['12345678901234567890', '99999', 'tel:48999998888', '4899', '+999 123 456'])(
    '%s is no number',
    async (text) => {
      const { status, body } = await place({ ...callRequest, called: text })
      expect([status, body.error.details.codes]).toEqual([422, { called: ['format'] }])
    },
  )

  test('of a colleague makes an internal call (D1)', async () => {
    const { body } = await place({ ...callRequest, called: '1001' })
    expect(await row(body.id)).toMatchObject({
      call_type: 'internal',
      from_number: '1000',
      to_number: '1001',
    })
    expect(placing()).toMatchObject({
      destination: { extension: office.extension('1001') },
      presented: { number: '1000', name: 'Ana Souza' },
    })
  })

  test('of a colleague without a phone is 422 at once (D7): nobody is rung, and no record is made', async () => {
    service.engine.forget(office.extension('1001'))
    const before = await rows()
    const { status, body } = await place({ ...callRequest, called: '1001' })
    expect([status, body.error.code]).toEqual([422, 'EXTENSION_NOT_REGISTERED'])
    expect(body.error.message).toContain('1001')
    expect(await rows()).toBe(before)
    service.engine.register(office.extension('1001'))
  })

  test('of the extension itself is refused', async () => {
    const { status, body } = await place({ ...callRequest, called: '1000' })
    expect([status, body.error.details.codes]).toEqual([422, { called: ['exclusion'] }])
  })
})

describe('caller (D11)', () => {
  test.each(['1000', '+55 48 3333-4444', '4833334444', ''])('%j is taken', async (caller) => {
    expect((await place({ ...callRequest, caller })).status).toBe(200)
  })

  test('a number of the account, of whichever extension, is shown to the phone', async () => {
    await place({ ...callRequest, extension: '1001', caller: '4833334444' })
    expect(placing()).toMatchObject({ shown: { number: '554833334444' }, presented: undefined, record: true })
  })

  test.each(['1001', '48999998888', 'anyone'])('%s is refused', async (caller) => {
    const { status, body } = await place({ ...callRequest, caller })
    expect([status, body.error.details.codes]).toEqual([422, { caller: ['inclusion'] }])
  })
})

describe('metadata (D12)', () => {
  const nest = (levels: number): object => (levels === 1 ? {} : { in: nest(levels - 1) })
  const sized = (bytes: number) => ({ text: 'x'.repeat(bytes - '{"text":""}'.length) })

  test('survives unchanged: nulls, numbers, nested values, odd names', async () => {
    const metadata = {
      lead_id: 4711,
      ratio: -0.125,
      huge: 1e300,
      tiny: 5e-324,
      nothing: null,
      yes: true,
      list: [1, 'a', null, { deep: [] }],
      '': 'empty',
      'ação.💥': 'é',
    }
    const { body } = await place({ ...callRequest, metadata })
    expect((await row(body.id)).metadata).toEqual(metadata)
  })

  test('absent is empty', async () => {
    expect((await row((await place()).body.id)).metadata).toEqual({})
  })

  test.each([[null], [[]]])('%j is empty (D377)', async (metadata) => {
    for (const path of ['/calls', '/dialer']) {
      const request = { ...callRequest, phone: called, metadata }
      const { body } = await service.api.post(path, request, { ...office, headers: allowDuplicate })
      expect((await row(body.callId ?? body.id)).metadata).toEqual({})
    }
  })

  test('may have 8 levels and 16 KiB', async () => {
    expect((await place({ ...callRequest, metadata: nest(8) })).status).toBe(200)
    expect((await place({ ...callRequest, metadata: sized(16_384) })).status).toBe(200)
  })

  test.each([
    ['9 levels', JSON.stringify(nest(9))],
    ['a byte too many', JSON.stringify(sized(16_385))],
    ['a list', '[1]'],
    ['a text', '"x"'],
    ['a number that no database holds', '{"a":1e999999}'],
    ['a hundred levels behind a repeated key', `{"a":${'['.repeat(100)}${']'.repeat(100)},"a":1}`],
    ['a hundred thousand levels', `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
  ])('%s is refused', async (_what, metadata) => {
    const body = `{"extension":"1000","called":"${called}","metadata":${metadata}}`
    expect((await service.api.post('/calls', body, office)).status).toBe(422)
    const headers = { 'idempotency-key': `metadata ${metadata.length}` }
    expect((await service.api.post('/calls', body, { ...office, headers })).status).toBe(422)
  })
})

describe('POST /dialer (D5)', () => {
  const dial = (body: object = { extension: '1000', phone: called, metadata: { a: 1 } }) =>
    service.api.post('/dialer', body, { token: office.token, headers: allowDuplicate })

  test('answers an id for hanging up and the real one, and says what to use instead', async () => {
    const { status, body, headers } = await dial()
    expect(status).toBe(200)
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9A-Za-z]{27}$/),
      message: 'successful request',
      callId: placing().callId,
    })
    expect(headers.get('deprecation')).toMatch(/^@\d+$/)
    expect(headers.get('link')).toBe('</api/v1/calls>; rel="successor-version"')
    expect((await row(body.callId)).metadata).toEqual({ a: 1 })
  })

  test('says so in its refusals too, and names its own field', async () => {
    const { status, body, headers } = await dial({ extension: '1000', phone: '190' })
    expect([status, body.error.details.codes]).toEqual([422, { phone: ['exclusion'] }])
    expect(headers.get('deprecation')).not.toBeNull()
  })

  test('its id hangs up', async () => {
    const { body } = await dial()
    expect((await hangUp(body.id)).body).toEqual({
      status: '200',
      message: 'successful request',
      id: body.callId,
    })
    expect((await row(body.callId)).status).toBe('cancelled')
  })
})

describe('hanging up (D13)', () => {
  test.each([
    ['ringing', 'cancelled', 'ORIGINATOR_CANCEL'],
    ['connecting', 'cancelled', 'ORIGINATOR_CANCEL'],
    ['answered', 'completed', 'NORMAL_CLEARING'],
  ] as const)('a call that is %s leaves it %s', async (stage, status, cause) => {
    const id = await placeUntil(stage)
    const answer = await hangUp(id)
    expect([answer.status, answer.body]).toEqual([200, { status: '200', message: 'successful request', id }])
    expect(await row(id)).toMatchObject({ status, hangup_cause: cause, ended_by: 'service' })
  })

  test('needs no body, and takes an empty one whatever its type', async () => {
    const id = await placeUntil('ringing')
    const headers = { 'content-type': 'application/json' }
    expect((await service.api.post(`/calls/${id}/hangup`, '', { ...office, headers })).status).toBe(200)
  })

  test('takes the id in the body as well', async () => {
    const id = await placeUntil('ringing')
    const { status, body } = await service.api.post('/calls/hangup', { id }, office)
    expect([status, body.id]).toEqual([200, id])
    expect((await service.api.post('/calls/hangup', {}, office)).status).toBe(422)
  })

  test('what is over, unknown, malformed or of another account is 404', async () => {
    const id = await placeUntil('ringing')
    const neighbour = await openOffice(service)
    expect((await hangUp(id, neighbour)).status).toBe(404)
    expect((await hangUp(id)).status).toBe(200)
    const over = await hangUp(id)
    expect([over.status, over.body.error.code]).toEqual([404, 'CALL_ENDED'])
    expect(over.body.error.message).toBe('This call has ended already.')
    const keys = ['0193a2f4-7a3c-7c1e-9d3b-5f1e2a4b6c8d', 'A'.repeat(27), 'x', '%00', "'"]
    for (const key of keys) {
      const { status, body } = await hangUp(key)
      expect([key, status, body.error.code]).toEqual([key, 404, 'CALL_NOT_FOUND'])
    }
  })

  test('a hundred times at once ends the call once', async () => {
    const id = await placeUntil('answered')
    service.clock.advance(7)
    const answers = await Promise.all(Array.from({ length: 100 }, () => hangUp(id)))
    const statuses = new Set(answers.map(({ status }) => status))
    expect([...statuses].every((status) => status === 200 || status === 404)).toBe(true)
    expect(statuses.has(200)).toBe(true)
    expect(await row(id)).toMatchObject({ status: 'completed', duration: 7, ended_at: service.clock.now() })
  })
})

describe('duration and status (D14)', () => {
  test('whole seconds from the destination’s answer to the end', async () => {
    const { id } = (await place()).body
    service.clock.advance(3)
    service.engine.pickUp(id)
    service.clock.advance(4)
    service.engine.answer(id)
    service.clock.advance(61.999)
    service.engine.hangUpBy(id, 'other')
    await expect.poll(async () => (await row(id)).ended_at).not.toBeNull()
    const { duration, started_at, answered_at, ended_at, status } = await row(id)
    expect([duration, status]).toEqual([61, 'completed'])
    expect((answered_at?.getTime() ?? 0) - started_at.getTime()).toBe(7_000)
    expect(ended_at).toEqual(service.clock.now())
  })

  test.each<[Cause, string]>([
    ['USER_BUSY', 'busy'],
    ['NO_ANSWER', 'no_answer'],
    ['NO_USER_RESPONSE', 'no_answer'],
    ['ORIGINATOR_CANCEL', 'cancelled'],
    ['UNALLOCATED_NUMBER', 'failed'],
    ['NORMAL_CIRCUIT_CONGESTION', 'failed'],
  ])('%s before the answer is %s, with no duration', async (cause, status) => {
    const id = await placeUntil('connecting')
    service.clock.advance(20)
    service.engine.end(id, cause, 'other')
    await expect.poll(async () => (await row(id)).ended_at).not.toBeNull()
    expect(await row(id)).toMatchObject({ status, hangup_cause: cause, duration: 0, answered_at: null })
  })

  test.each<Cause>(['MEDIA_TIMEOUT', 'ALLOTTED_TIMEOUT'])(
    '%s after the answer is completed',
    async (cause) => {
      const id = await placeUntil('answered')
      service.engine.end(id, cause, 'service')
      await expect.poll(async () => (await row(id)).status).toBe('completed')
    },
  )
})

describe('Idempotency-Key (D18, D117)', () => {
  const key = (name: string) => ({ 'idempotency-key': name })

  test('the same request twice is one call', async () => {
    const before = await rows()
    const first = await place(callRequest, key('twice'))
    const again = await place(callRequest, key('twice'))
    expect([again.status, again.body]).toEqual([200, first.body])
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(await rows()).toBe(before + 1)
  })

  test('a refusal by the phone is answered again, and nothing rings again', async () => {
    service.engine.behave(() => [{ ends: 'USER_BUSY', by: 'extension' }])
    const first = await place(callRequest, key('busy'))
    const before = await rows()
    const again = await place(callRequest, key('busy'))
    expect([first.status, again.status, again.body]).toEqual([424, 424, first.body])
    expect(await rows()).toBe(before)
  })

  test('while it is not known whether the phone rings, other requests with the key are refused', async () => {
    service.engine.behave(() => [])
    const first = place(callRequest, key('slow'))
    const placedBefore = service.engine.requests().length
    await expect.poll(() => service.engine.requests().length).toBe(placedBefore + 1)
    expect((await place(callRequest, key('slow'))).status).toBe(409)
    service.engine.end(placing().callId, 'CALL_REJECTED', 'extension')
    expect((await first).status).toBe(424)
    expect((await place(callRequest, key('slow'))).status).toBe(424)
  })

  test('if the process died before it answered, the repeated request is answered with the placed call', async () => {
    service.engine.behave(() => [])
    const first = place(callRequest, key('died'))
    const before = service.engine.requests().length
    await expect.poll(() => service.engine.requests().length).toBe(before + 1)
    service.clock.advance(61)
    const again = await place(callRequest, key('died'))
    expect([again.status, again.body.id]).toEqual([200, placing().callId])
    service.timers.advance(2_000)
    expect((await first).status).toBe(200)
  })

  test('POST /dialer keeps both ids', async () => {
    const body = { extension: '1000', phone: called }
    const headers = { ...allowDuplicate, ...key('dial') }
    const dial = () => service.api.post('/dialer', body, { ...office, headers })
    const first = await dial()
    expect((await dial()).body).toEqual(first.body)
  })
})
