/** D115: calls that phones and carriers begin. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addUser } from '../../test/helpers/service/people.ts'
import {
  type Office,
  openOffice,
  startVoiceService,
  type VoiceService,
} from '../../test/helpers/service/voice.ts'
import { whileLocked } from '../../test/helpers/stored/table-lock.ts'

let service: VoiceService
let office: Office

beforeAll(async () => {
  service = await startVoiceService()
  office = await openOffice(service)
})
afterAll(() => service.stop())

const dial = (dialled: string, number = '1000') =>
  service.engine.receive({ from: { extension: office.extension(number) }, dialled })
const bring = (dialled: string, caller?: string) =>
  service.engine.receive({
    from: { trunk: 'main', callerId: caller ? { number: caller } : undefined },
    dialled,
  })
const newest = async () =>
  await service.db
    .selectFrom('calls')
    .selectAll()
    .orderBy('started_at', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
const count = async () => (await service.db.selectFrom('calls').select('id').execute()).length

async function accepted(answer: ReturnType<typeof dial>) {
  const given = await answer
  if ('rejected' in given) throw new Error(`barred: ${given.rejected}`)
  service.clock.advance(1)
  return given
}

describe('a phone that dials', () => {
  test('goes out with the number of its extension, its user being there already', async () => {
    const { callId, destination, presented, record } = await accepted(dial('48 99999-8888'))
    expect({ destination, presented, record }).toEqual({
      destination: { number: '5548999998888' },
      presented: { number: '554833334444' },
      record: false,
    })
    const { body: me } = await service.api.get('/users/me', office)
    expect(await newest()).toMatchObject({
      id: callId,
      call_type: 'outbound',
      status: 'connecting',
      metadata: {},
      from_number: '1000',
      to_number: '5548999998888',
      user_uuid: me.uuid,
    })
    service.engine.answer(callId)
    service.clock.advance(9)
    service.engine.hangUpBy(callId, 'extension')
    await expect.poll(async () => (await newest()).duration).toBe(9)
  })

  test('reaches a colleague', async () => {
    await office.addExtension('1001')
    const { destination, presented } = await accepted(dial('1001'))
    expect({ destination, presented }).toEqual({
      destination: { extension: office.extension('1001') },
      presented: { number: '1000', name: 'Ana Souza' },
    })
    expect((await newest()).call_type).toBe('internal')
  })

  test('is the call of the user whose e-mail the extension has, if it is one of the account', async () => {
    const agent = await addUser(service, office)
    await office.addExtension('1002', { email_address: agent.email })
    await accepted(dial('48999998888', '1002'))
    expect((await newest()).user_uuid).toBe(agent.uuid)
    const neighbour = await openOffice(service)
    await office.addExtension('1003', { email_address: neighbour.email })
    await accepted(dial('48999998888', '1003'))
    expect((await newest()).user_uuid).toBeNull()
  })

  test.each([
    ['190', 'OUTGOING_CALL_BARRED', 'Emergency Calls Not Available'],
    ['0900 123 4567', 'OUTGOING_CALL_BARRED', undefined],
    ['4242', 'UNALLOCATED_NUMBER', undefined],
    ['1000', 'USER_BUSY', 'Own Extension'],
  ])(
    'to %s is barred with %s, the phrase %s (D610), and leaves no record',
    async (dialled, rejected, phrase) => {
      const before = await count()
      expect(await dial(dialled)).toEqual({ rejected, phrase })
      expect(await count()).toBe(before)
    },
  )

  test.each(['*97', '**2001', '#21#'])(
    'to %s is refused as a feature code that does not exist (D422)',
    async (dialled) => {
      const before = await count()
      expect(await dial(dialled)).toEqual({ rejected: 'UNALLOCATED_NUMBER', phrase: 'No Such Feature Code' })
      expect(await count()).toBe(before)
    },
  )

  test('that is none of ours is rejected', async () => {
    expect(await dial('48999998888', '7777')).toEqual({ rejected: 'CALL_REJECTED' })
  })

  test('to a colleague without a phone was a call, and failed', async () => {
    await office.addExtension('1004')
    service.engine.forget(office.extension('1004'))
    expect(await dial('1004')).toEqual({ rejected: 'USER_NOT_REGISTERED' })
    service.clock.advance(1)
    const { status, hangup_cause, ended_at, started_at } = await newest()
    expect([status, hangup_cause, ended_at]).toEqual(['failed', 'USER_NOT_REGISTERED', started_at])
  })
})

describe('a carrier', () => {
  test('reaches the extension that shows the called number: from is the caller, to the extension', async () => {
    const own = await openOffice(service, { bina: '+55 11 2222-3333' })
    const answer = await accepted(bring('+551122223333', '+55 48 99999-8888'))
    expect(answer).toMatchObject({
      destination: { extension: own.extension('1000') },
      presented: { number: '5548999998888' },
    })
    expect(await newest()).toMatchObject({
      call_type: 'inbound',
      status: 'queued',
      domain: own.domain,
      from_number: '5548999998888',
      to_number: '1000',
      caller_number: '551122223333',
    })
    service.engine.ring(answer.callId)
    service.engine.pickUp(answer.callId)
    service.clock.advance(5)
    service.engine.hangUpBy(answer.callId, 'other')
    await expect.poll(async () => (await newest()).duration).toBe(5)
  })

  test('reaches, of several that share a number, the first whose phone is there', async () => {
    const own = await openOffice(service, { bina: '+55 11 2222-4444' })
    await own.addExtension('1001', { bina: '+55 11 2222-4444' })
    service.engine.forget(own.extension('1000'))
    const { destination } = await accepted(bring('1122224444'))
    expect(destination).toEqual({ extension: own.extension('1001') })
    service.engine.forget(own.extension('1001'))
    expect(await bring('1122224444')).toEqual({ rejected: 'USER_NOT_REGISTERED' })
    service.clock.advance(1)
    expect(await newest()).toMatchObject({ from_number: 'anonymous', status: 'failed', domain: own.domain })
  })

  test.each(['1155556666', '1000', '<script>', ''])('finds nobody at %j', async (dialled) => {
    expect(await bring(dialled)).toEqual({ rejected: 'UNALLOCATED_NUMBER' })
  })

  test('may say odd things of the caller; only what looks like a number is kept', async () => {
    for (const [caller, from] of [
      ['*31#', '*31#'],
      ['<b>', 'anonymous'],
      ['x'.repeat(41), 'anonymous'],
    ] as const) {
      await accepted(bring('4833334444', caller))
      expect((await newest()).from_number).toBe(from)
    }
  })
})

test('D225: a call that is being stored while its node is fenced is not taken, and ends at once', async () => {
  const { node } = service.app.voice
  let answer: ReturnType<typeof bring> | undefined
  await whileLocked(service.database.url, 'calls', async (lock) => {
    answer = bring('554833334444')
    await expect.poll(lock.waiting).toBeGreaterThan(0)
    node.setFenced(true)
  })
  expect(await answer).toEqual({ rejected: 'NORMAL_TEMPORARY_FAILURE' })
  expect(service.engine.liveCalls()).toEqual([])
  await node.events.drained(5_000)
  expect(await newest()).toMatchObject({ hangup_cause: 'NORMAL_TEMPORARY_FAILURE', call_price: 0 })
  node.setFenced(false)
})
