/** D626: incidents and maintenance, opened, updated and closed by the operator, each step in the operator's log. */
import { type Clock, plusSeconds } from '../kit/clock.ts'
import type { Database } from '../store/database.ts'
import { recordOperatorChange } from '../users/audit/operator-log.ts'
import {
  type Incident,
  type IncidentChange,
  type NewIncident,
  openIncident,
  updateIncident,
} from './incident.ts'
import { insertIncident, lockIncident, readIncidents, writeIncident } from './incidents-store.ts'

const shownSeconds = 90 * 86_400
/** More than anybody reads. */
const maxShown = 200

type Deps = { db: Database; clock: Clock }

export function createIncidents({ db, clock }: Deps) {
  let onChanged = () => {}

  /** Throws unless it can be opened so. */
  async function open(given: NewIncident): Promise<Incident> {
    const incident = openIncident(given, clock.now())
    const opened = await db.transaction().execute(async (tx) => {
      const stored = { id: await insertIncident(tx, incident), ...incident }
      await record(tx, 'incident.opened', stored)
      return stored
    })
    onChanged()
    return opened
  }

  /** Undefined if there is no such incident; throws unless it can be changed so. */
  async function update(id: number, change: IncidentChange): Promise<Incident | undefined> {
    const updated = await db.transaction().execute(async (tx) => {
      const before = await lockIncident(tx, id)
      if (!before) return undefined
      const after = updateIncident(before, change, clock.now())
      await writeIncident(tx, after)
      await record(tx, after.closedAt ? 'incident.closed' : 'incident.updated', after)
      return after
    })
    if (updated) onChanged()
    return updated
  }

  type Action = 'incident.opened' | 'incident.updated' | 'incident.closed'
  async function record(tx: Database, action: Action, { id, title, state, components, impact }: Incident) {
    const affected = components.join(', ')
    await recordOperatorChange(tx, {
      at: clock.now(),
      action,
      subject: String(id),
      details: { title, state, components: affected, ...(impact && { impact }) },
    })
  }

  return {
    open,
    update,
    /** Not closed, or within 90 days; the newest first. */
    recent: () => readIncidents(db, plusSeconds(clock.now(), -shownSeconds), maxShown),
    /** Registers a function that is called after each change by this process. */
    onChanged(listener: () => void) {
      onChanged = listener
    },
  }
}
export type Incidents = ReturnType<typeof createIncidents>
