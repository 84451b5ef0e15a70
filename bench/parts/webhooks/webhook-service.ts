/** The service without its HTTP server, with thousands of integrations and deliveries, and receivers for them. */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { openServices } from '../../../src/app/services/services.ts'
import { readConfig } from '../../../src/config.ts'
import type { CallEventType } from '../../../src/contract/webhooks/events.ts'
import { uuidv7 } from '../../../src/kit/ids.ts'
import { createLog } from '../../../src/kit/process/log.ts'
import { startLoop } from '../../../src/kit/process/loop.ts'
import type { CallAnnouncement } from '../../../src/webhooks/payload.ts'
import { type Place, startNode, stopChild } from '../children.ts'
import { createAccount, dataDirOf } from '../service.ts'

/** Rows that one statement updates in a millisecond, at least. */
const updatedPerMs = 10

/** Port 0 is any free one. */
export async function startReceiver(place: Place, wanted = 0) {
  const program = fileURLToPath(new URL('./receiver-process.ts', import.meta.url))
  const child = startNode({
    args: [program, `${wanted}`],
    place,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const [{ port }] = (await once(child, 'message')) as [AddressInfo]
  return {
    url: `http://127.0.0.1:${port}/hook`,
    port,
    pid: child.pid ?? 0,
    /** Deliveries received in total, and the latencies of those since the last `read`. */
    async read(): Promise<{ count: number; latencies: number[] }> {
      child.send('read')
      const [figures] = await once(child, 'message')
      return figures
    },
    stop: () => stopChild(child),
  }
}
export type Receiver = Awaited<ReturnType<typeof startReceiver>>

/** Receivers that misbehave, each differently. */
export async function startBadReceivers(place: Place) {
  const program = fileURLToPath(new URL('./bad-receivers-process.ts', import.meta.url))
  const child = startNode({ args: [program], place, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const [urls] = (await once(child, 'message')) as [string[]]
  return { urls, stop: () => stopChild(child) }
}

export async function startWebhookService(folder: string) {
  const { email } = await createAccount({ folder }, 'padaria')
  // All receivers are at one host.
  const config = readConfig({
    DATA_DIR: dataDirOf(folder),
    DATABASE_POOL: '12',
    WEBHOOKS_PER_HOST_SECOND: '100000',
  })
  const services = await openServices(config, { log: createLog('error') })
  const { store, notices } = services.base
  const { webhooks } = services.webhooks
  await notices.connect()
  const loop = startLoop({
    name: 'webhook deliveries',
    everyMs: 1_000,
    tick: webhooks.tick,
    onError: services.base.onError,
  })
  webhooks.onWake(loop.wake)

  const { rows } = await store.pool.query(
    `select users.id, users.uuid, account_id, domain from users join accounts on accounts.id = account_id
     where users.email = $1`,
    [email],
  )
  const [user] = rows

  /** Integrations with the same URL; `announce` reaches those that list `channel-hangup`. */
  async function addIntegrations(
    name: string,
    url: string,
    count: number,
    type: CallEventType,
  ): Promise<number[]> {
    const caller = { user: { id: user.id, email, role: 'USER' }, accountId: user.account_id } as never
    const metadata = { webhookUrl: url, webhookTypes: [type] }
    const input = { code: name, webhook: true, constraint: null, metadata }
    const first = await services.webhooks.integrations.create(caller, input)
    const { rows: others } = await store.pool.query(
      `insert into integrations (account_id, user_id, code, webhook, given_constraint, metadata, url, version,
         event_types, conditions, secret, created_at, updated_at)
       select account_id, user_id, code || number, webhook, given_constraint, metadata, url, version,
         event_types, conditions, secret, created_at, updated_at
       from integrations, generate_series(2, $2::int) as number where id = $1 returning id`,
      [first.id, count],
    )
    return [first.id, ...others.map((row) => row.id)]
  }

  const announcementOf = (metadata: Record<string, unknown>): CallAnnouncement => ({
    type: 'channel-hangup',
    callId: uuidv7(new Date()),
    accountId: user.account_id,
    domain: user.domain,
    userId: user.id,
    userUuid: user.uuid,
    extensionUserUuid: user.uuid,
    callType: 'outbound',
    from: '1000',
    to: '5548999998888',
    startedAt: new Date(),
    answeredAt: new Date(),
    endedAt: new Date(),
    duration: 51,
    cause: 'NORMAL_CLEARING',
    status: 'completed',
    endedBy: 'destination',
    price: { minutePrice: 1200, price: 11 },
    recordingUrl: null,
    metadata: JSON.stringify(metadata),
  })

  /** Events in one transaction, as the voice module writes them. `committedAt` is taken before the transaction begins. */
  async function announce(count: number) {
    const committedAt = performance.timeOrigin + performance.now()
    const announcements = Array.from({ length: count }, () => announcementOf({ committedAt }))
    webhooks.publish(await store.db.transaction().execute((tx) => webhooks.announceCalls(tx, announcements)))
  }

  /** For statements on a million rows, which exceed the statement timeout of the service. */
  async function runWithoutTimeout(text: string, values: unknown[] = []) {
    const client = await store.pool.connect()
    try {
      await client.query('set statement_timeout = 0')
      return (await client.query(text, values)).rows
    } finally {
      client.release(true)
    }
  }

  /** Inserts deliveries by SQL, due in an hour unless `release` makes them due. */
  async function fill(integrations: number[], count: number) {
    const payload = JSON.stringify({ eventType: 'channel-hangup', ...announcementOf({ lead: 4711 }) })
    for (let made = 0; made < count; made += 50_000) {
      await runWithoutTimeout(
        `with event as (
           insert into events (account_id, user_id, call_id, sequence, kind, payload, created_at)
           select $1, $2, gen_random_uuid(), 1, 'channel-hangup', $3, now() from generate_series(1, $4::int)
           returning id, call_id
         )
         insert into deliveries (integration_id, event_id, call_id, sequence, version, state, next_at, due_since)
         select ($5::bigint[])[1 + id % cardinality($5)], id, call_id, 1, '1.8', 'pending',
           now() + interval '1 hour', now() from event`,
        [user.account_id, user.id, payload, Math.min(50_000, count - made), integrations],
      )
    }
    await runWithoutTimeout('vacuum analyze deliveries')
    await runWithoutTimeout('vacuum analyze events')
    return payload
  }

  /** Makes all pending deliveries due, and returns at the moment they are. */
  async function release() {
    const [waiting] = await runWithoutTimeout(
      `select count(*) as count from deliveries where state = 'pending'`,
    )
    const due = Date.now() + 4_000 + waiting.count / updatedPerMs
    await runWithoutTimeout(`update deliveries set next_at = $1 where state = 'pending'`, [new Date(due)])
    await runWithoutTimeout('vacuum analyze deliveries')
    await sleep(Math.max(1, due - Date.now()))
    void webhooks.tick()
  }

  async function stop() {
    await loop.stop()
    await services.close()
  }
  return { addIntegrations, announce, fill, release, stop, pid: process.pid }
}
export type WebhookService = Awaited<ReturnType<typeof startWebhookService>>
