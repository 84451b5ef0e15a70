/** The invariants that must hold once every call has ended and every delivery is done, and a check of each. */

import type { CheckingReceiver } from './checking-receiver.ts'
import type { Failpoints } from './failpoints.ts'

const maxShown = 10

/** Each query finds the rows that violate its rule. */
const rules: Record<string, string> = {
  'every call is over': 'select id from calls where ended_at is null',
  'every call has exactly one hangup event': `select c.id, count(e.id) from calls c
    left join events e on e.call_id = c.id and e.kind = 'channel-hangup' group by c.id having count(e.id) <> 1`,
  'a hangup event has the cause of its call': `select c.id from calls c join events e on e.call_id = c.id
    where e.kind = 'channel-hangup' and e.payload::jsonb ->> 'hangupCause' is distinct from c.hangup_cause`,
  'an answered call has exactly one answer event, any other call none': `select c.id, count(e.id) from calls c
    left join events e on e.call_id = c.id and e.kind = 'channel-answer'
    group by c.id having count(e.id) <> (case when c.answered_at is null then 0 else 1 end)`,
  'the events of a call are numbered without gaps':
    'select call_id from events group by call_id having max(sequence) <> count(*) or min(sequence) <> 1',
  'every event has a delivery for every webhook that lists its type': `select e.id, i.id from events e
    join integrations i on e.kind = any(i.event_types)
    left join deliveries d on d.event_id = e.id and d.integration_id = i.id where d.event_id is null`,
  // Statistics of its scans: at first a table is small, and reading all of it is right.
  'no large table is read as a whole, again and again': `select relname, n_live_tup as rows, seq_tup_read as read
    from pg_stat_user_tables where n_live_tup > 20000 and seq_tup_read > 50 * n_live_tup`,
  'every delivery was delivered': `select call_id, sequence, integration_id, state, reason from deliveries
    where state <> 'delivered'`,
}

/** One sentence for each violated rule. */
export async function findViolations(
  { query }: Pick<Failpoints, 'query'>,
  receiver: CheckingReceiver,
  accepted: string[],
) {
  const found: string[] = []
  const report = (rule: string, cases: unknown[]) => {
    if (cases.length === 0) return
    found.push(`not true: ${rule} (${cases.length}): ${JSON.stringify(cases.slice(0, maxShown))}`)
  }
  for (const [rule, text] of Object.entries(rules)) report(rule, (await query(text)).rows)

  const { rows: calls } = await query('select id from calls')
  const stored = new Set(calls.map(({ id }) => id))
  report(
    'every accepted call is stored',
    accepted.filter((id) => !stored.has(id)),
  )

  const { rows } = await query(
    `select 'msg_' || call_id || '_' || sequence || '_' || integration_id as id from deliveries`,
  )
  const sent = new Set<string>(rows.map(({ id }) => id))
  report(
    'everything recorded as delivered was received',
    [...sent].filter((id) => !receiver.has(id)),
  )
  report(
    'everything received is a recorded delivery, under its one id',
    [...receiver.ids()].filter((id) => !sent.has(id)),
  )
  report('the events of a call are first received in order', outOfOrder(receiver))
  report('every delivery is signed, and has the same body when it is repeated', receiver.faults)
  return found
}

function outOfOrder({ arrivals }: CheckingReceiver) {
  const last = new Map<string, number>()
  return arrivals.filter(({ hook, call, sequence }) => {
    const lane = `${hook} ${call}`
    const before = last.get(lane) ?? 0
    last.set(lane, sequence)
    return sequence <= before
  })
}
