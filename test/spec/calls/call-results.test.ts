/** D592 to D595: what came of a call, as the people of the account say it. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Receiver } from '../../helpers/programs/receiver.ts'
import { listenWith } from '../../helpers/programs/webhook-listener.ts'
import {
  accountIdOf,
  type CallFields,
  changeCall,
  insertCalls,
  live,
  removeCall,
} from '../../helpers/service/call-rows.ts'
import { filter } from '../../helpers/service/client.ts'
import { addUser, openAccount } from '../../helpers/service/people.ts'
import { type Service, startService } from '../../helpers/service/service.ts'
import { countRows } from '../../helpers/stored/row-counts.ts'

let service: Service
beforeAll(async () => {
  service = await startService({ WEBHOOK_ALLOW_PRIVATE: 'true' })
})
const receivers: Receiver[] = []
afterAll(async () => {
  for (const receiver of receivers) await receiver.stop()
  await service.stop()
})

const put = (path: string, body: object, who: { token: string }) => service.api.send('PUT', path, body, who)

async function openWith(calls: CallFields[]) {
  const admin = await openAccount(service)
  const accountId = await accountIdOf(service.db, admin.domain)
  const ids = await insertCalls(service.db, accountId, calls)
  const change = (n: number, body: object, who: { token: string } = admin) =>
    service.api.patch(`/calls/${ids[n]}`, body, who)
  const found = async (where: object) => {
    const { status, body } = await service.api.get(`/calls?page=1&${filter({ where })}`, admin)
    expect([status, body.meta?.totalItemCount], JSON.stringify(body)).toEqual([200, body.data?.length])
    return body.data.map(({ id }: { id: string }) => ids.indexOf(id)).sort((a: number, b: number) => a - b)
  }
  return { admin, ids, change, found }
}

test('outcome, tags and notes are apart from the cause, and what is not sent stays (D592)', async () => {
  const { admin, ids, change } = await openWith([{}, live('answered')])
  const first = await change(0, {
    outcome: 'sale',
    tags: ['VIP', 'promo', 'vip'],
    notes: 'Sends the papers.',
  })
  expect([first.status, first.body]).toMatchObject([
    200,
    {
      id: ids[0],
      outcome: 'sale',
      tags: ['promo', 'vip'],
      notes: 'Sends the papers.',
      hangup_cause: 'NO_ANSWER',
    },
  ])
  expect((await change(0, { notes: '' })).body).toMatchObject({
    outcome: 'sale',
    tags: ['promo', 'vip'],
    notes: '',
  })
  expect((await change(0, { outcome: null, tags: [] })).body).toMatchObject({ outcome: null, tags: [] })
  expect((await change(1, { notes: 'Still talking.' })).body).toMatchObject({
    status: 'answered',
    outcome: null,
    notes: 'Still talking.',
  })
  const { body } = await service.api.get(`/calls/${ids[1]}`, admin)
  expect(body).toMatchObject({ outcome: null, tags: [], notes: 'Still talking.' })
})

test('only the user of the call and ADMINs change it, and nobody of another account (D592)', async () => {
  const { admin, ids, change } = await openWith([{}])
  const [placer, owner, colleague] = [
    await addUser(service, admin),
    await addUser(service, admin),
    await addUser(service, admin),
  ]
  const users = { user_uuid: placer.uuid, extension_user_uuid: owner.uuid }
  await changeCall(service.db, ids[0] ?? '', users)
  const codeOf = async (who: { token: string }) => {
    const { status, body } = await change(0, { outcome: 'sale' }, who)
    return [status, body.error?.code]
  }
  expect(await codeOf(placer)).toEqual([200, undefined])
  expect(await codeOf(owner)).toEqual([200, undefined])
  expect(await codeOf(admin)).toEqual([200, undefined])
  expect(await codeOf(colleague)).toEqual([403, 'ACCESS_DENIED'])
  expect(await codeOf(await openAccount(service))).toEqual([404, 'CALL_NOT_FOUND'])
  expect((await service.api.patch('/calls/no-id', { notes: 'x' }, admin)).status).toBe(404)
  const stranger = await openAccount(service)
  expect((await service.api.get(`/calls/${ids[0]}/changes`, stranger)).status).toBe(404)
})

test('a token limited to reading changes nothing', async () => {
  const { admin, change } = await openWith([{}])
  const limited = async (scopes: string[]) => {
    const { body } = await service.api.post('/users/accessTokens', { ttl: 3600, scopes }, admin)
    return { token: String(body.id) }
  }
  const refused = await change(0, { outcome: 'sale' }, await limited(['calls:read']))
  expect([refused.status, refused.body.error.code]).toEqual([403, 'SCOPE_REQUIRED'])
  expect((await change(0, { outcome: 'sale' }, await limited(['calls:place']))).status).toBe(200)
})

test('what is wrong is named by its field', async () => {
  const { change } = await openWith([{}])
  for (const [body, field] of [
    [{ outcome: 'nothing-of-ours' }, 'outcome'],
    [{ tags: ['x'.repeat(41)] }, 'tags'],
    [{ tags: Array.from({ length: 11 }, (_, n) => `t${n}`) }, 'tags'],
    [{ tags: [' '] }, 'tags'],
    [{ notes: 'x'.repeat(4001) }, 'notes'],
  ] as const) {
    const answer = await change(0, body)
    expect([answer.status, Object.keys(answer.body.error.details.codes).join()]).toEqual([
      422,
      expect.stringContaining(field),
    ])
  }
})

test('outcomes are those of the account, in its language until it sets its own (D593)', async () => {
  const { admin, change, found } = await openWith([{}])
  const user = await addUser(service, admin)
  const labels = async () =>
    (await service.api.get('/calls/outcomes', user)).body.outcomes.map(
      ({ label }: { label: string }) => label,
    )
  await service.api.patch('/accounts/settings', { language: 'en' }, admin)
  expect(await labels()).toContain('Call back')
  await service.api.patch('/accounts/settings', { language: 'pt' }, admin)
  expect(await labels()).toContain('Ligar de novo')
  await change(0, { outcome: 'sale' })
  const own = [
    { key: 'won', label: ' Ganhou ' },
    { key: 'lost', label: 'Perdeu' },
  ]
  expect((await put('/calls/outcomes', { outcomes: own }, user)).status).toBe(403)
  const set = await put('/calls/outcomes', { outcomes: own }, admin)
  expect([set.status, set.body.outcomes]).toEqual([
    200,
    [
      { key: 'won', label: 'Ganhou' },
      { key: 'lost', label: 'Perdeu' },
    ],
  ])
  // A call keeps what it has.
  expect(await found({ outcome: 'sale' })).toEqual([0])
  expect((await change(0, { outcome: 'sale', notes: 'x' })).status).toBe(200)
  expect((await change(0, { outcome: 'won' })).status).toBe(200)
  expect((await change(0, { outcome: 'sale' })).status).toBe(422)
  const twice = await put('/calls/outcomes', { outcomes: [own[0], own[0]] }, admin)
  expect([twice.status, twice.body.error.details.codes]).toEqual([
    422,
    { 'outcomes.1.key': ['uniqueness'], 'outcomes.1.label': ['uniqueness'] },
  ])
  await put('/calls/outcomes', { outcomes: [] }, admin)
  expect(await labels()).toContain('Venda')
})

test('every change is kept with who made it; what changes nothing is no change', async () => {
  const { admin, ids, change } = await openWith([{}])
  const { body: me } = await service.api.get('/users/me', admin)
  const began = service.clock.now().toISOString()
  await change(0, { outcome: 'interested' })
  await change(0, { outcome: 'interested', tags: [], notes: ' ' })
  service.clock.advance(60)
  await change(0, { outcome: 'sale', tags: ['vip'] })
  const { body } = await service.api.get(`/calls/${ids[0]}/changes`, admin)
  const by = { user_uuid: me.uuid, user_name: me.name }
  expect(body).toEqual([
    { revision: 2, at: expect.any(String), ...by, outcome: 'sale', tags: ['vip'], notes: '' },
    { revision: 1, at: began, ...by, outcome: 'interested', tags: [], notes: '' },
  ])
})

test('of a call the last 100 changes are kept', async () => {
  const { admin, ids, change } = await openWith([{}])
  for (let n = 1; n <= 102; n += 1) await change(0, { notes: `note ${n}` })
  const { body } = await service.api.get(`/calls/${ids[0]}/changes`, admin)
  expect([body.length, body[0].notes, body.at(-1).notes]).toEqual([100, 'note 102', 'note 3'])
})

test('calls are found by outcome, tag and note, with exact totals', async () => {
  const { admin, change, found } = await openWith([{}, {}, { from_number: '1001' }, {}])
  await change(0, { outcome: 'sale', tags: ['vip', 'promo'] })
  await change(1, { outcome: 'call_back', tags: ['vip'], notes: 'Na sexta' })
  await change(2, { outcome: 'sale' })
  expect(await found({ outcome: 'sale' })).toEqual([0, 2])
  expect(await found({ outcome: { inq: ['sale', 'call_back'] } })).toEqual([0, 1, 2])
  expect(await found({ outcome: { neq: 'sale' } })).toEqual([1, 3])
  expect(await found({ outcome: null })).toEqual([3])
  expect(await found({ outcome: { neq: null } })).toEqual([0, 1, 2])
  expect(await found({ or: [{ outcome: null }, { tags: 'promo' }] })).toEqual([0, 3])
  expect(await found({ outcome: { inq: ['call_back', null] } })).toEqual([1, 3])
  expect(await found({ tags: 'VIP' })).toEqual([0, 1])
  expect(await found({ and: [{ tags: 'vip' }, { tags: 'promo' }] })).toEqual([0])
  expect(await found({ tags: { nin: ['promo'] } })).toEqual([1, 2, 3])
  expect(await found({ tags: { like: 'pro%' } })).toEqual([0])
  expect(await found({ outcome: 'sale', from: '1001' })).toEqual([2])
  expect(await found({ notes: { ilike: '%SEXTA%' } })).toEqual([1])
  const sorted = await service.api.get(`/calls?page=1&${filter({ order: 'outcome' })}`, admin)
  expect([sorted.status, sorted.body.error.code]).toEqual([400, 'INVALID_PARAMETER_VALUE'])
})

test('nothing of another account is found by outcome or tag', async () => {
  const [mine, theirs] = [await openWith([{}]), await openWith([{}])]
  await mine.change(0, { outcome: 'sale', tags: ['vip'] })
  await theirs.change(0, { outcome: 'sale', tags: ['vip'] })
  expect(await mine.found({ outcome: 'sale' })).toEqual([0])
  expect(await mine.found({ tags: 'vip' })).toEqual([0])
})

test('the list shows them if fields names them; files have them after all other columns', async () => {
  const { admin, change } = await openWith([{ to_number: '5548999990001' }])
  await change(0, { outcome: 'sale', tags: ['vip', 'promo'], notes: 'a\nb' })
  const fields = filter({ fields: ['to', 'outcome', 'tags', 'notes'] })
  expect((await service.api.get(`/calls?page=1&${fields}`, admin)).body.data).toEqual([
    { to: '5548999990001', outcome: 'sale', tags: ['promo', 'vip'], notes: 'a\nb' },
  ])
  expect(Object.keys((await service.api.get('/calls?page=1', admin)).body.data[0])).not.toContain('outcome')
  const { body } = await service.api.get('/calls?format=csv', admin)
  const [header = '', ...lines] = String(body).split('\r\n')
  expect(header).toMatch(/^id,domain,.*,metadata,ended_by,outcome,tags,notes$/)
  expect(lines.join('\r\n')).toContain(',{},service,sale,"promo, vip","a\nb"\r\n')
})

test('statistics by outcome: calls without one are the group null (D594)', async () => {
  const day = new Date('2026-11-15T12:00:00.000Z')
  const answered = {
    started_at: day,
    answered_at: day,
    duration: 60,
    call_price: 12,
    status: 'completed',
  } as const
  const { admin, change } = await openWith([answered, answered, { started_at: day }])
  await change(0, { outcome: 'sale' })
  await change(2, { outcome: 'call_back' })
  const query = 'from=2026-11-15T00:00:00-03:00&to=2026-11-16T00:00:00-03:00&group=outcome'
  const read = async () => (await service.api.get(`/calls/stats?${query}`, admin)).body.data
  const at = '2026-11-15T00:00:00'
  const row = (group: string | null, calls: number, talked: number) => ({
    at,
    group,
    calls,
    answered: talked,
    seconds: talked * 60,
    cost: talked * 0.12,
  })
  expect(await read()).toEqual([row('call_back', 1, 0), row('sale', 1, 1), row(null, 1, 1)])
  await change(1, { outcome: 'sale' })
  expect(await read()).toEqual([row('call_back', 1, 0), row('sale', 2, 2)])
})

test('call-updated is sent each time, in order, to webhooks that list it and to the feed (D595)', async () => {
  const { admin, ids, change } = await openWith([{ metadata: { lead: 7 } }])
  await change(0, { outcome: 'interested' })
  const { receiver } = await listenWith(service, receivers, { who: admin, types: ['call-updated'] })
  await change(0, { outcome: 'sale', tags: ['vip'] })
  await change(0, { notes: 'Sends the papers.' })
  await service.tick('webhook deliveries')
  const bodies = (await receiver.until(2)).map(({ body }) => body)
  const { body: me } = await service.api.get('/users/me', admin)
  const shared = { eventType: 'call-updated', id: ids[0], hangupCause: 'NO_ANSWER', updatedBy: me.uuid }
  expect(bodies).toMatchObject([
    { ...shared, outcome: 'sale', tags: ['vip'], notes: '', revision: 2, metadata: { lead: 7 } },
    { ...shared, outcome: 'sale', tags: ['vip'], notes: 'Sends the papers.', revision: 3 },
  ])
  expect(bodies[1].sequence).toBe(bodies[0].sequence + 1)
  const feed = (await service.api.get('/events', admin)).body.data
  expect(feed.map(({ eventType, revision }: Record<string, unknown>) => [eventType, revision])).toEqual([
    ['call-updated', 2],
    ['call-updated', 3],
  ])
  const { deliveries } = (await service.api.get(`/calls/${ids[0]}/events`, admin)).body
  expect(deliveries.map(({ delivery }: { delivery: Record<string, unknown> }) => delivery)).toMatchObject([
    { event: 'call-updated', subject: 'result', subjectId: ids[0] },
    { event: 'call-updated', subject: 'result', subjectId: ids[0] },
  ])
})

test('a webhook with a constraint that the call does not match is not sent its changes', async () => {
  const { admin, change } = await openWith([{ metadata: { team: 'a' } }])
  const listening = { who: admin, types: ['call-updated' as const], constraint: { team: 'b' } }
  const { deliveries } = await listenWith(service, receivers, listening)
  await change(0, { outcome: 'sale' })
  expect(await deliveries()).toMatchObject([{ event: 'call-updated', status: 'skipped' }])
})

test('what came of a call goes with the call', async () => {
  const { ids, change } = await openWith([{}])
  const [id = ''] = ids
  await change(0, { outcome: 'sale', tags: ['vip'] })
  expect(await countRows(service.db, 'call_results', { call_id: id })).toBe(1)
  await removeCall(service.db, id)
  for (const table of ['call_results', 'call_tags', 'call_changes'] as const) {
    expect([table, await countRows(service.db, table, { call_id: id })]).toEqual([table, 0])
  }
})
