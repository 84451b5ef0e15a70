/** Bugs about events, the feed and webhooks. */
import type { Bug } from '../bug.ts'

export const eventBugs: Bug[] = [
  {
    name: 'feed-by-id',
    about: 'The feed is read by the id of events: one that commits late is skipped.',
    file: 'src/webhooks/feed-store.ts',
    search: "select id, nextval('event_positions') as position",
    replace: 'select id, id as position',
    foundBy: ['feed without gaps', 'event order', 'cycles'],
  },
  {
    name: 'feed-without-lock',
    about: 'Two readers give positions at the same time.',
    file: 'src/webhooks/feed-store.ts',
    search: 'select pg_advisory_xact_lock(',
    replace: 'select int4eq(',
    foundBy: ['feed without gaps', 'event order', 'cycles'],
  },
  {
    name: 'ready-not-announced',
    about: 'A recording that is found in the store after a failure is marked, and its event is not written.',
    file: 'src/recordings/recording-intake.ts',
    search: "call ? [announcer.announcementOf('recording-ready', call)] : []",
    replace: "call && sound ? [announcer.announcementOf('recording-ready', call)] : []",
    foundBy: ['recordings'],
  },
  {
    name: 'sequence-repeated',
    about: 'The fourth event of a call gets the number of the third, and cannot be stored.',
    file: 'src/webhooks/write-events.ts',
    search: 'const sequence = before.last + 1',
    replace: 'const sequence = before.types.size > 2 ? before.last : before.last + 1',
    foundBy: ['event order', 'one end', 'recordings'],
  },
  {
    name: 'delivered-before-sent',
    about: 'A delivery counts as accepted although the receiver answered with an error.',
    file: 'src/webhooks/delivering/attempt.ts',
    search: 'const ok = status !== null && status >= 200 && status < 300',
    replace: 'const ok = status !== null && status >= 200 && status < 600',
    foundBy: ['webhooks'],
  },
  {
    name: 'order-of-deliveries',
    about: 'An event is sent while an earlier one of its call waits.',
    file: 'src/webhooks/delivering/claims-store.ts',
    search: "and sequence < f.sequence and state = 'pending'\n      offset 0) as a\n  ), held",
    replace: "and sequence < f.sequence and state = 'never'\n      offset 0) as a\n  ), held",
    foundBy: ['webhooks'],
  },
  {
    name: 'attempt-by-another-lease',
    about:
      'An attempt is recorded by a lease that nobody holds, so that nothing is: what was accepted is sent again and again.',
    file: 'src/webhooks/delivering/claims-store.ts',
    search:
      'returning d.integration_id, d.event_id, d.call_id, d.sequence, d.version, d.attempts, d.next_at, d.due_since',
    replace:
      "returning d.integration_id, d.event_id, d.call_id, d.sequence, d.version, d.attempts, d.next_at + interval '1 ms' as next_at, d.due_since",
    foundBy: ['webhooks'],
  },
  {
    name: 'parked-forever',
    about: 'What was parked behind a delivery is not released when that one is settled.',
    file: 'src/webhooks/delivering/claims-store.ts',
    search: "const settled = rows.filter(({ state }) => state !== 'pending')",
    replace: "const settled = rows.filter(({ state }) => state === 'skipped')",
    foundBy: ['webhooks'],
  },
  {
    name: 'retry-never-due',
    about: 'A delivery whose worker was killed is not claimed again.',
    file: 'src/webhooks/delivering/delivering.ts',
    search: 'export const leaseSeconds = 45',
    replace: 'export const leaseSeconds = 45_000',
    foundBy: ['webhooks'],
  },
]
