/** Spec §4.1: calls hung up over the API, the record they leave, the older path, and repeated requests (D5, D13, D14, D18). */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Cause } from '../../../src/contract/calls/causes.ts'
import { called, callingAt, callRequest } from '../../helpers/service/calling.ts'
import {
  allowDuplicate,
  type Office,
  openOffice,
  startVoiceService,
  type VoiceService,
} from '../../helpers/service/voice.ts'

let service: VoiceService
let office: Office

beforeAll(async () => {
  service = await startVoiceService()
  office = await openOffice(service)
})
afterAll(() => service.stop())
beforeEach(() => service.engine.behave(() => ['rings']))

const { place, hangUp, record, count, placing, placeUntil } = callingAt(() => ({ service, office }))
/** The end of a call, as its timeline has it. */
async function endOf(id: string) {
  const { events } = (await service.api.get(`/calls/${id}/events`, office)).body
  return events.at(-1)
}

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
    expect((await record(body.callId)).metadata).toEqual({ a: 1 })
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
    expect((await record(body.callId)).status).toBe('cancelled')
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
    expect(await record(id)).toMatchObject({ status, hangup_cause: cause })
    expect(await endOf(id)).toMatchObject({ type: 'ended', by: 'service' })
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
    const endedAt = service.clock.now().toISOString()
    expect(await record(id)).toMatchObject({ status: 'completed', duration: 7, ended_at: endedAt })
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
    await expect.poll(async () => (await record(id)).ended_at).not.toBeNull()
    const { duration, started_at, answered_at, ended_at, status } = await record(id)
    expect([duration, status]).toEqual([61, 'completed'])
    expect(Date.parse(answered_at) - Date.parse(started_at)).toBe(7_000)
    expect(ended_at).toBe(service.clock.now().toISOString())
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
    await expect.poll(async () => (await record(id)).ended_at).not.toBeNull()
    expect(await record(id)).toMatchObject({ status, hangup_cause: cause, duration: 0, answered_at: null })
  })

  test.each<Cause>(['MEDIA_TIMEOUT', 'ALLOTTED_TIMEOUT'])(
    '%s after the answer is completed',
    async (cause) => {
      const id = await placeUntil('answered')
      service.engine.end(id, cause, 'service')
      await expect.poll(async () => (await record(id)).status).toBe('completed')
    },
  )
})

describe('Idempotency-Key (D18, D117)', () => {
  const key = (name: string) => ({ 'idempotency-key': name })

  test('the same request twice is one call', async () => {
    const before = await count()
    const first = await place(callRequest, key('twice'))
    const again = await place(callRequest, key('twice'))
    expect([again.status, again.body]).toEqual([200, first.body])
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(await count()).toBe(before + 1)
  })

  test('a refusal by the phone is answered again, and nothing rings again', async () => {
    service.engine.behave(() => [{ ends: 'USER_BUSY', by: 'extension' }])
    const first = await place(callRequest, key('busy'))
    const before = await count()
    const again = await place(callRequest, key('busy'))
    expect([first.status, again.status, again.body]).toEqual([424, 424, first.body])
    expect(await count()).toBe(before)
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
