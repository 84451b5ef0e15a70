/** Call events, announced as the voice module does. */
import type { CallEventType } from '../../../src/contract/webhooks/events.ts'
import { uuidv7 } from '../../../src/kit/ids.ts'
import type { Database } from '../../../src/store/database.ts'
import type { CallAnnouncement } from '../../../src/webhooks/payload.ts'
import type { Service } from './service.ts'

/** An ended call placed by the user with this e-mail. */
export async function callOf({ db, clock }: Service, email: string) {
  const user = await db
    .selectFrom('users')
    .innerJoin('accounts', 'accounts.id', 'users.account_id')
    .select(['users.id', 'users.uuid', 'users.account_id', 'accounts.domain'])
    .where('users.email', '=', email)
    .executeTakeFirstOrThrow()
  return {
    callId: uuidv7(clock.now()),
    accountId: user.account_id,
    domain: user.domain,
    userId: user.id,
    userUuid: user.uuid,
    extensionUserUuid: user.uuid,
    callType: 'outbound',
    from: '1000',
    to: '5548999998888',
    startedAt: new Date('2026-11-15T12:00:00.000Z'),
    answeredAt: new Date('2026-11-15T12:00:09.400Z'),
    endedAt: new Date('2026-11-15T12:01:00.600Z'),
    duration: 51,
    cause: 'NORMAL_CLEARING',
    status: 'completed',
    endedBy: 'destination',
    price: { minutePrice: 1200, price: 11 },
    recordingUrl: null,
    metadata: '{}' as string,
  } satisfies Omit<CallAnnouncement, 'type'>
}

type Call = Omit<CallAnnouncement, 'type'>

/** Announces in a transaction of the test; nothing is sent before it publishes, or a job looks for due deliveries. */
export const announceIn = ({ app }: Pick<Service, 'app'>, tx: Database, announcements: CallAnnouncement[]) =>
  app.services.webhooks.webhooks.announceCalls(tx, announcements)

/** Announces the events one after the other, each in its own transaction. */
export async function announce(service: Service, call: Call, ...types: CallEventType[]) {
  for (const type of types) await announceAtOnce(service, call, [type])
}

/** Announces all events in one transaction: none is delivered before all are written. */
export async function announceAtOnce(service: Service, call: Call, types: readonly CallEventType[]) {
  const announcements = types.map((type) => ({ ...call, type }))
  const written = await service.db.transaction().execute((tx) => announceIn(service, tx, announcements))
  service.app.services.webhooks.webhooks.publish(written)
}

/** Returns when every due delivery has been tried and its result recorded. */
export async function deliverAll(service: Service) {
  do await attemptsRecorded(service)
  while (Number(await service.tick('webhook deliveries')) > 0)
  await attemptsRecorded(service)
}

/** Returns when every attempt that began is recorded. */
export const attemptsRecorded = ({ app }: Pick<Service, 'app'>) => app.services.webhooks.webhooks.whenIdle()
