/** Spec §4.1: calls placed over the API (D1-D12). */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Cause } from '../../../src/contract/calls/causes.ts'
import { whileCallLocked } from '../../helpers/service/call-rows.ts'
import { called, callingAt, callRequest } from '../../helpers/service/calling.ts'
import { addUser } from '../../helpers/service/people.ts'
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
  await office.addExtension('1001', { first_name: 'Beto', last_name: 'Lima', gravar_audio: 1 })
})
afterAll(() => service.stop())
beforeEach(() => service.engine.behave(() => ['rings']))

const { place, hangUp, record, count, placing } = callingAt(() => ({ service, office }))
const timeline = async (id: string) => (await service.api.get(`/calls/${id}/events`, office)).body.events

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
    await expect.poll(async () => (await record(body.id)).status).toBe('ringing')
    const at = service.clock.now().toISOString()
    expect(await record(body.id)).toMatchObject({
      call_type: 'outbound',
      domain: office.domain,
      user_uuid: me.uuid,
      from: '1000',
      to: called,
      BINA: '554833334444',
      first_name: 'Ana',
      last_name: 'Souza',
      email: office.email,
      metadata: { lead: 7 },
      started_at: at,
    })
    expect(await timeline(body.id)).toEqual([
      { type: 'created', at },
      { type: 'ringing', at },
    ])
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
      expect(body.error.details).toEqual({ callId: placing().callId })
      const { callId } = placing()
      expect(await record(callId)).toMatchObject({ status, hangup_cause: cause })
      expect((await timeline(callId)).at(-1)).toMatchObject({ type: 'ended', by: 'extension' })
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
    await expect.poll(async () => (await record(body.id)).status).toBe('busy')
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
    await whileCallLocked(service.db, callId, async () => {
      service.engine.ring(callId)
      expect((await answer).status).toBe(200)
      expect((await record(callId)).status).toBe('queued')
    })
    await expect.poll(async () => (await record(callId)).status).toBe('ringing')
  })

  test('is 200 after two seconds of silence', async () => {
    const { answer } = await beginPlacing()
    service.timers.advance(1_999)
    service.timers.advance(1)
    const { status, body } = await answer
    expect([status, (await record(body.id)).status]).toEqual([200, 'queued'])
  })
})

describe('the extension (D7)', () => {
  test('that does not exist is 422 and leaves no record', async () => {
    const before = await count()
    const { status, body } = await place({ ...callRequest, extension: '4242' })
    expect([status, body.error.code]).toEqual([422, 'EXTENSION_UNKNOWN'])
    expect(await count()).toBe(before)
  })

  test('of another account is unknown', async () => {
    const neighbour = await openOffice(service)
    await neighbour.addExtension('2000')
    expect((await place({ ...callRequest, extension: '2000' })).body.error.code).toBe('EXTENSION_UNKNOWN')
  })

  test('without a phone is 422 and leaves no record', async () => {
    service.engine.forget(office.extension('1001'))
    const before = await count()
    const { status, body } = await place({ ...callRequest, extension: '1001' })
    expect([status, body.error.code]).toEqual([422, 'EXTENSION_NOT_REGISTERED'])
    expect(body.error.message).toContain('user not registered')
    expect(await count()).toBe(before)
    await service.engine.register(office.extension('1001'))
  })
})

describe('the number (D10)', () => {
  test.each(['+55 48 99999-8888', '5548999998888', '48999998888', '048 99999 8888', '(48) 99999.8888'])(
    '%s is stored and dialled as 5548999998888',
    async (text) => {
      const { body } = await place({ ...callRequest, called: text })
      expect((await record(body.id)).to).toBe('5548999998888')
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
    expect(await record(body.id)).toMatchObject({ call_type: 'internal', from: '1000', to: '1001' })
    expect(placing()).toMatchObject({
      destination: { extension: office.extension('1001') },
      presented: { number: '1000', name: 'Ana Souza' },
    })
  })

  test('of a colleague without a phone is 422 at once (D7): nobody is rung, and no record is made', async () => {
    service.engine.forget(office.extension('1001'))
    const before = await count()
    const { status, body } = await place({ ...callRequest, called: '1001' })
    expect([status, body.error.code]).toEqual([422, 'EXTENSION_NOT_REGISTERED'])
    expect(body.error.message).toContain('1001')
    expect(await count()).toBe(before)
    await service.engine.register(office.extension('1001'))
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
    expect((await record(body.id)).metadata).toEqual(metadata)
  })

  test('absent is empty', async () => {
    expect((await record((await place()).body.id)).metadata).toEqual({})
  })

  test.each([[null], [[]]])('%j is empty (D377)', async (metadata) => {
    for (const path of ['/calls', '/dialer']) {
      const request = { ...callRequest, phone: called, metadata }
      const { body } = await service.api.post(path, request, { ...office, headers: allowDuplicate })
      expect((await record(body.callId ?? body.id)).metadata).toEqual({})
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
