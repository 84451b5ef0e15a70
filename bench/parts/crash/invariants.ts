/** What must hold when everything has settled, and what does not. */

import type { Witness } from './checking-receiver.ts'
import type { Gates } from './failpoints.ts'

const mostShown = 10

/** Each finds what contradicts its rule. */
const rules: Record<string, string> = {
  'every call is over': 'select id from calls where ended_at is null',
  'every call has exactly one hangup event': `select c.id, count(e.id) from calls c
    left join events e on e.call_id = c.id and e.kind = 'channel-hangup' group by c.id having count(e.id) <> 1`,
  'a hangup tells how its call ended': `select c.id from calls c join events e on e.call_id = c.id
    where e.kind = 'channel-hangup' and e.payload::jsonb ->> 'hangupCause' is distinct from c.hangup_cause`,
  'an answer is told once, and only of calls that were answered': `select c.id, count(e.id) from calls c
    left join events e on e.call_id = c.id and e.kind = 'channel-answer'
    group by c.id having count(e.id) <> (case when c.answered_at is null then 0 else 1 end)`,
  'the events of a call are numbered without gaps':
    'select call_id from events group by call_id having max(sequence) <> count(*) or min(sequence) <> 1',
  'every event has a delivery for every webhook that listens': `select e.id, i.id from events e
    join integrations i on e.kind = any(i.event_types)
    left join deliveries d on d.event_id = e.id and d.integration_id = i.id where d.event_id is null`,
  'every delivery was delivered': `select call_id, sequence, integration_id, state, reason from deliveries
    where state <> 'delivered'`,
}

/** Sentences; none when all is well. */
export async function findContradictions({ query }: Gates, witness: Witness, accepted: string[]) {
  const found: string[] = []
  const blame = (rule: string, cases: unknown[]) => {
    if (cases.length === 0) return
    found.push(`not true: ${rule} (${cases.length}): ${JSON.stringify(cases.slice(0, mostShown))}`)
  }
  for (const [rule, text] of Object.entries(rules)) blame(rule, (await query(text)).rows)

  const { rows: calls } = await query('select id from calls')
  const stored = new Set(calls.map(({ id }) => id))
  blame(
    'what was accepted is there',
    accepted.filter((id) => !stored.has(id)),
  )

  const { rows } = await query(
    `select 'msg_' || call_id || '_' || sequence || '_' || integration_id as id from deliveries`,
  )
  const sent = new Set<string>(rows.map(({ id }) => id))
  blame(
    'everything delivered came',
    [...sent].filter((id) => !witness.has(id)),
  )
  blame(
    'nothing came but what is in the books, under its one id',
    [...witness.ids()].filter((id) => !sent.has(id)),
  )
  blame('first arrivals of a call come in order', outOfOrder(witness))
  blame('what comes is signed, and the same when it comes again', witness.faults)
  return found
}

function outOfOrder({ arrivals }: Witness) {
  const last = new Map<string, number>()
  return arrivals.filter(({ hook, call, sequence }) => {
    const lane = `${hook} ${call}`
    const before = last.get(lane) ?? 0
    last.set(lane, sequence)
    return sequence <= before
  })
}
