/** D599: an account may show a USER only the calls of their own extensions; the setting is off at first (D17). */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { wavHeader } from '../../../src/media/sound/wav.ts'
import { accountIdOf, type CallFields, changeCall, insertCalls } from '../../helpers/service/call-rows.ts'
import { filter } from '../../helpers/service/client.ts'
import { addUser, openAccount } from '../../helpers/service/people.ts'
import { storeRecording } from '../../helpers/service/recordings.ts'
import { type Service, startService } from '../../helpers/service/service.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

const sound = Buffer.concat([wavHeader(8_000), Buffer.alloc(32_000)])

type Who = { token: string }
const { get, patch } = {
  get: (path: string, who: Who) => service.api.get(path, who),
  patch: (path: string, body: object, who: Who) => service.api.patch(path, body, who),
}

/** Two agents with an extension each, and calls in this order: three of Bia, two of Caio. */
async function openOffice() {
  const admin = await openAccount(service)
  const accountId = await accountIdOf(service.db, admin.domain)
  const [bia, caio] = [await addUser(service, admin), await addUser(service, admin)]
  const addExtension = async (ramal: string, { email }: { email: string }) => {
    const person = { first_name: 'Bia', last_name: 'Lima', email_address: email }
    const { body } = await service.api.post('/extensions', { ramal, senha: 's3nha-longa', ...person }, admin)
    return body.id as number
  }
  const [first] = [await addExtension('1001', bia), await addExtension('1002', caio)]
  const of = (user: { uuid: string }) => ({ user_uuid: user.uuid, extension_user_uuid: user.uuid })
  const answered = { status: 'completed', hangup_cause: 'NORMAL_CLEARING', duration: 60 } as const
  const calls: CallFields[] = [
    { from_number: '1001', ...of(bia), ...answered, answered_at: new Date('2026-11-15T12:00:00Z') },
    { from_number: '5548999998888', to_number: '1001', call_type: 'inbound', ...of(bia) },
    { from_number: '1002', to_number: '1001', call_type: 'internal', ...of(caio) },
    { from_number: '1002', ...of(caio) },
    // From before Bia had the extension.
    { from_number: '1001', ...of(caio) },
  ]
  const ids = await insertCalls(service.db, accountId, calls)
  const restrict = (callVisibility = 'own') => patch('/accounts/settings', { callVisibility }, admin)
  const numbersOf = (data: { id: string }[]) => data.map(({ id }) => ids.indexOf(id)).sort()
  return { admin, bia, caio, ids, restrict, numbersOf, firstExtension: first }
}

const mine = [0, 1, 2]
const everything = [0, 1, 2, 3, 4]

test('every user sees all calls until the account sets otherwise (D17)', async () => {
  const { bia, numbersOf } = await openOffice()
  expect(numbersOf((await get('/calls?page=1', bia)).body.data)).toEqual(everything)
  expect((await get('/console/session', bia)).body.account.callVisibility).toBe('account')
})

test('then a USER lists, counts and exports the calls of their own extensions, and an ADMIN all', async () => {
  const { admin, bia, restrict, numbersOf } = await openOffice()
  await restrict()
  const { body } = await get('/calls?page=1', bia)
  expect([numbersOf(body.data), body.meta.totalItemCount]).toEqual([mine, 3])
  const found = await get(`/calls?page=1&${filter({ where: { from: '1002' } })}`, bia)
  expect(numbersOf(found.body.data)).toEqual([2])
  const file = await get('/calls?format=csv', bia)
  expect(String(file.body).trim().split('\n')).toHaveLength(1 + mine.length)
  expect(numbersOf((await get('/calls?page=1', admin)).body.data)).toEqual(everything)
  expect((await get('/console/session', bia)).body.account.callVisibility).toBe('own')
  await restrict('account')
  expect(numbersOf((await get('/calls?page=1', bia)).body.data)).toEqual(everything)
})

test('pages that are counted hold no call of others, and none twice', async () => {
  const { bia, restrict, numbersOf } = await openOffice()
  await restrict()
  const pages = []
  for (const page of [1, 2, 3]) {
    const { body } = await get(`/calls?page=${page}&${filter({ limit: 1 })}`, bia)
    pages.push(...body.data)
  }
  expect(numbersOf(pages)).toEqual(mine)
})

test('a call of a colleague is 404 in every route of a call, and no change reaches it', async () => {
  const { bia, ids, restrict } = await openOffice()
  await restrict()
  for (const path of ['', '/events', '/changes']) {
    const own = await get(`/calls/${ids[0]}${path}`, bia)
    const other = await get(`/calls/${ids[3]}${path}`, bia)
    expect([own.status, other.status, other.body.error.code], path).toEqual([200, 404, 'CALL_NOT_FOUND'])
  }
  expect((await patch(`/calls/${ids[3]}`, { notes: 'x' }, bia)).status).toBe(404)
  expect((await patch(`/calls/${ids[0]}`, { notes: 'x' }, bia)).status).toBe(200)
})

test('the recording of a colleague is not found with a token of the USER; a signed link works for who has it', async () => {
  const { admin, bia, ids, restrict } = await openOffice()
  await restrict()
  for (const n of [0, 3]) {
    const id = ids[n] ?? ''
    await changeCall(service.db, id, { recording: 'spooled' })
    await storeRecording(service, id, sound, 1)
  }
  for (const path of ['/recording', '/recording.wav', '/recording/peaks']) {
    const other = await get(`/calls/${ids[3]}${path}`, bia)
    expect([other.status, other.body.error.code], path).toEqual([404, 'RECORDING_NOT_FOUND'])
  }
  const listen = async (n: number, who: Who) =>
    (await service.api.head(`/calls/${ids[n]}/recording`, who)).status
  expect([await listen(0, bia), await listen(3, bia), await listen(3, admin)]).toEqual([200, 404, 200])
  const link = (await get(`/calls/${ids[3]}`, admin)).body.record_url
  expect((await fetch(link)).status).toBe(200)
})

test('statistics have the own calls only', async () => {
  const { admin, bia, restrict } = await openOffice()
  await restrict()
  const span = 'from=2026-11-15T00:00:00Z&to=2026-11-16T00:00:00Z'
  const totals = async (who: Who) =>
    (await get(`/calls/stats?${span}`, who)).body.data.map(
      ({ calls, answered, seconds }: { calls: number; answered: number; seconds: number }) => [
        calls,
        answered,
        seconds,
      ],
    )
  expect([await totals(bia), await totals(admin)]).toEqual([[[3, 1, 60]], [[5, 1, 60]]])
  const grouped = (await get(`/calls/stats?${span}&group=direction`, bia)).body.data
  expect(grouped.map(({ group, calls }: { group: string; calls: number }) => [group, calls])).toEqual([
    ['inbound', 1],
    ['internal', 1],
    ['outbound', 1],
  ])
})

test('`/calls/updated` leaves the calls of others out, and goes on behind them', async () => {
  const { bia, restrict, numbersOf } = await openOffice()
  await restrict()
  const found: { id: string }[] = []
  let cursor = ''
  for (let more = true; more; ) {
    const { body } = await get(`/calls/updated?limit=2${cursor && `&cursor=${cursor}`}`, bia)
    found.push(...body.data)
    ;({ more, cursor } = body)
  }
  expect(numbersOf(found)).toEqual(mine)
})

test('a USER without an extension sees no call, and who gets one sees those since', async () => {
  const { admin, bia, caio, restrict, numbersOf, firstExtension } = await openOffice()
  await restrict()
  const moved = { id: firstExtension, email_address: caio.email }
  expect((await patch('/extensions', moved, admin)).status).toBe(200)
  const { body } = await get('/calls?page=1', bia)
  expect([body.data, body.meta.totalItemCount]).toEqual([[], 0])
  // Internal calls to the extension belong to who has it now, the others to who had it then.
  expect(numbersOf((await get('/calls?page=1', caio)).body.data)).toEqual([2, 3, 4])
})
