/**
 * The state of the service as customers see it: derived from the leases of all processes (D625), and never better than the
 * operator says (D626). Read at most once in a few seconds, however many ask. Without the database it says so, with the
 * incidents that were read last.
 */
import { type Component, type ComponentState, components } from '../contract/status.ts'
import { type Clock, plusSeconds } from '../kit/clock.ts'
import type { Log } from '../kit/process/log.ts'
import { type Timers, withTimeout } from '../kit/timers.ts'
import type { Nodes } from '../nodes/nodes.ts'
import { allOut, type ComponentStates, deriveStates, worst } from './component-states.ts'
import { declaredState, type Incident } from './incident.ts'
import type { Incidents } from './incidents.ts'

/** As often as nodes report. */
const cacheSeconds = 5
/** A database that does not answer in this time is away. */
const readWithinMs = 2_000

export type Status = {
  state: ComponentState
  checkedAt: Date
  components: { name: Component; state: ComponentState }[]
  incidents: Incident[]
  /** False while the database is away; `incidents` were read before, if ever. */
  isRead: boolean
  incidentsReadAt: Date | undefined
}

type Deps = {
  clock: Clock
  timers: Timers
  log: Log
  nodes: Pick<Nodes, 'list'>
  incidents: Pick<Incidents, 'recent' | 'onChanged'>
  needsTrunks: () => boolean
}

type Read = { states: ComponentStates; incidents: Incident[] }

export function createServiceStatus({ clock, timers, log, nodes, incidents, needsTrunks }: Deps) {
  let cached: Status | undefined
  let reading: Promise<Status> | undefined
  let lastIncidents: { rows: Incident[]; at: Date } | undefined
  let changes = 0
  incidents.onChanged(() => {
    changes += 1
    cached = undefined
    reading = undefined
  })

  /** Never rejects. */
  function current(): Promise<Status> | Status {
    if (cached && isFresh(cached)) return cached
    // Requests at the same time share one reading: anybody may ask.
    if (reading) return reading
    const started = check().finally(() => {
      if (reading === started) reading = undefined
    })
    reading = started
    return started
  }

  function isFresh({ checkedAt }: Status): boolean {
    const now = clock.now()
    return checkedAt <= now && now < plusSeconds(checkedAt, cacheSeconds)
  }

  async function check(): Promise<Status> {
    const found: { read?: Read } = {}
    const changesBefore = changes
    const attempt = read().then(
      (value) => {
        found.read = value
      },
      (error: unknown) => log.warn({ err: error }, 'the status page cannot read the database'),
    )
    await withTimeout(timers, readWithinMs, attempt)
    const checkedAt = clock.now()
    if (found.read) lastIncidents = { rows: found.read.incidents, at: checkedAt }
    const rows = lastIncidents?.rows ?? []
    const shown = found.read ? withDeclared(found.read) : allOut()
    const status: Status = {
      state: worst(Object.values(shown)),
      checkedAt,
      components: components.map((name) => ({ name, state: shown[name] })),
      incidents: rows,
      isRead: found.read !== undefined,
      incidentsReadAt: lastIncidents?.at,
    }
    if (changes === changesBefore) cached = status
    return status
  }

  async function read(): Promise<Read> {
    const [found, recent] = await Promise.all([nodes.list(), incidents.recent()])
    return { states: deriveStates(found, { needsTrunks: needsTrunks() }), incidents: recent }
  }

  return { current }
}
export type ServiceStatus = ReturnType<typeof createServiceStatus>

function withDeclared({ states, incidents }: Read): ComponentStates {
  const shown = { ...states }
  for (const incident of incidents) {
    for (const name of incident.components) shown[name] = worst([shown[name], declaredState(incident)])
  }
  return shown
}
