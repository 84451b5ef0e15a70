/** D517: removing a month of events takes the deliveries of these events and no others. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Receiver, startReceiver } from '../../test/helpers/programs/receiver.ts'
import { days } from '../../test/helpers/run/test-clock.ts'
import { announce, callOf, deliverAll } from '../../test/helpers/service/announcements.ts'
import { openAccount } from '../../test/helpers/service/people.ts'
import { type Service, startService } from '../../test/helpers/service/service.ts'

let service: Service
let receiver: Receiver
beforeAll(async () => {
  receiver = await startReceiver()
  service = await startService({ WEBHOOK_ALLOW_PRIVATE: 'true' })
  service.clock.shift((Date.now() - service.clock.now().getTime()) / 1000)
})
afterAll(async () => {
  await receiver.stop()
  await service.stop()
})

async function deliveriesOf(...calls: { callId: string }[]) {
  const ids = calls.map(({ callId }) => callId)
  const rows = await service.db
    .selectFrom('deliveries')
    .select('call_id')
    .where('call_id', 'in', ids)
    .execute()
  return ids.map((id) => rows.filter(({ call_id }) => call_id === id).length)
}

test('events written into a month long ago take only their own deliveries along, and stay while one of these is to be sent', async () => {
  const ana = await openAccount(service)
  const metadata = { webhookUrl: receiver.url, webhookTypes: ['channel-hangup'] }
  await service.api.patch('/integrations', { gateway: 'crm', webhook: true, metadata }, ana)
  const [today, stray, later] = [
    await callOf(service, ana.email),
    await callOf(service, ana.email),
    await callOf(service, ana.email),
  ]
  await announce(service, today, 'channel-hangup')
  await deliverAll(service)
  // As by a process of an earlier version whose clock is behind: the ids go on.
  service.clock.shift(-100 * days)
  await announce(service, stray, 'channel-hangup')
  await deliverAll(service)
  service.clock.shift(100 * days)
  await announce(service, later, 'channel-hangup')
  await deliverAll(service)

  await sql`update deliveries set state = 'pending', settled_at = null, next_at = now() + interval '1 hour'
    where call_id = ${stray.callId}`.execute(service.db)
  await service.tick('old webhook events')
  expect(await deliveriesOf(today, stray, later)).toEqual([1, 1, 1])

  await sql`update deliveries set state = 'delivered', settled_at = now(), next_at = null
    where call_id = ${stray.callId}`.execute(service.db)
  await service.tick('old webhook events')
  expect(await deliveriesOf(today, stray, later)).toEqual([1, 0, 1])
  const events = await service.db.selectFrom('events').select('call_id').execute()
  expect(events.map(({ call_id }) => call_id)).not.toContain(stray.callId)
})
