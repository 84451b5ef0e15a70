/** Bugs in the ends of calls and in their events. */
import type { Bug } from '../bug.ts'

export const callBugs: Bug[] = [
  {
    name: 'end-without-guard',
    about: 'A late end is taken although the call is over: it is ended, reported and priced again.',
    file: 'src/calls/events/call-moves.ts',
    search: "if (event.type === 'ended') return call.ended_at === null ? ended(call, event) : undefined",
    replace: "if (event.type === 'ended') return ended(call, event)",
    foundBy: ['price', 'money', 'one end', 'recordings', 'event order', 'hang-up'],
  },
  {
    name: 'moves-without-guard',
    about: 'A late event moves a call that is further already.',
    file: 'src/calls/events/call-moves.ts',
    search: 'if (!(from as readonly CallStatus[]).includes(call.status)) return undefined',
    replace: 'if (from.length === 0) return undefined',
    foundBy: ['states', 'one end', 'price', 'event order'],
  },
  {
    name: 'lock-dropped',
    about: 'Calls are read without a lock before they are moved: the sweep ends them in between.',
    file: 'src/calls/events/transitions-store.ts',
    search: 'order by calls.id for no key update`',
    replace: 'order by calls.id`',
    foundBy: ['states', 'one end', 'money', 'price', 'event order'],
  },
  {
    name: 'sweep-races-end',
    about: 'The sweep ends calls whose node is alive and that were stamped a moment ago.',
    file: 'src/nodes/orphans.ts',
    search:
      'const criteria = { isNodeGone: isNodeOfCallGone, silentSeconds: leaseSeconds, lostSeconds, max: maxBatch }',
    replace:
      'const criteria = { isNodeGone: isNodeOfCallGone, silentSeconds: leaseSeconds / 20, lostSeconds: lostSeconds / 75, max: maxBatch }',
    foundBy: ['hang-up'],
  },
  {
    name: 'no-orphan-sweep',
    about: 'Calls of a node that was killed are never ended.',
    file: 'src/nodes/orphans.ts',
    search: 'const ended = now >= (awakeSince ?? now) + awakeSeconds * 1000 ? await endAll() : 0',
    replace: 'const ended = now >= (awakeSince ?? now) + awakeSeconds * 1e9 ? await endAll() : 0',
    foundBy: ['one end', 'reservations', 'price'],
  },
  {
    name: 'orphans-billed-to-now',
    about: 'An orphaned call is billed to the sweep, not to its last proof of life.',
    file: 'src/calls/orphans-store.ts',
    search: 'select id, greatest(alive_at, answered_at) as alive_at from calls',
    replace: 'select id, now() as alive_at from calls',
    foundBy: ['price'],
  },
  {
    name: 'no-unclaimed-sweep',
    about: 'A call that no node claims is never ended.',
    file: 'src/calls/admission/unclaimed-store.ts',
    search: 'select call_id from unclaimed_calls where claim_until <= now()\n        order by call_id limit',
    replace:
      "select call_id from unclaimed_calls where claim_until < '-infinity'\n        order by call_id limit",
    foundBy: ['one end', 'reservations', 'price'],
  },
  {
    name: 'claim-not-deleted',
    about: 'A node that claims a call leaves its row: the sweep ends the call while it rings.',
    file: 'src/calls/admission/unclaimed-store.ts',
    search:
      'delete from unclaimed_calls where call_id in (\n      select call_id from unclaimed_calls where node = $1 and claim_until > now()\n      order by call_id for update skip locked)\n    returning call_id, origin, command)',
    replace:
      'select call_id, origin, command from unclaimed_calls where node = $1 and claim_until > now()\n      order by call_id for update skip locked)',
    foundBy: ['one end', 'price', 'recordings', 'event order', 'refusals'],
  },
  {
    name: 'events-dropped-when-read-only',
    about: 'An event that could not be stored because the database was away is dropped.',
    file: 'src/voice/event-queue.ts',
    search: 'isRetried: (error) => !isInvalidData(error),',
    replace: 'isRetried: (error) => isInvalidData(error),',
    foundBy: ['price', 'recordings', 'hang-up', 'one end', 'acknowledged writes', 'settled'],
  },
  {
    name: 'hang-up-not-stored',
    about: 'A hang-up for a call of another node is only a notice: if it is lost, the call goes on.',
    file: 'src/calls/calls-store.ts',
    search:
      ".where('hangup_requested_at', 'is not', null)\n    .execute()\n  return rows.map(({ id }) => id)",
    replace:
      ".where('hangup_requested_at', 'is not', null)\n    .execute()\n  return rows.slice(0, 0).map(({ id }) => id)",
    foundBy: ['hang-up'],
  },
]
