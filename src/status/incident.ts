/**
 * D626: what the operator writes for customers: an incident, or maintenance.
 *
 *   investigating ◀─▶ identified ◀─▶ monitoring ──▶ resolved
 *         planned ──▶ in-progress ──▶ done           (planned ──▶ done: called off)
 *
 * A closed one keeps what it says: what happens again is another incident.
 */
import { type FieldProblems, notOneOf, problem, refuseFields } from '../contract/errors.ts'
import {
  type Component,
  type ComponentState,
  components,
  type IncidentImpact,
  type IncidentKind,
  type IncidentState,
} from '../contract/status.ts'

type IncidentUpdate = { at: Date; state: IncidentState; text: string; textEn: string | null }

export type Incident = {
  id: number
  kind: IncidentKind
  /** In Portuguese; in English if it was written in English, too. */
  title: string
  titleEn: string | null
  components: Component[]
  /** Null for maintenance. */
  impact: IncidentImpact | null
  state: IncidentState
  startsAt: Date | null
  endsAt: Date | null
  openedAt: Date
  closedAt: Date | null
  /** The newest first. */
  updates: IncidentUpdate[]
}

/** Fields that are left out of an update stay as they are. */
export type IncidentChange = {
  state: IncidentState
  text: string
  textEn?: string | undefined
  components?: Component[] | undefined
  impact?: IncidentImpact | undefined
  startsAt?: Date | undefined
  endsAt?: Date | undefined
}

export type NewIncident = IncidentChange & {
  kind: IncidentKind
  title: string
  titleEn?: string | undefined
  components: Component[]
}

const statesOf: Record<IncidentKind, readonly IncidentState[]> = {
  incident: ['investigating', 'identified', 'monitoring', 'resolved'],
  maintenance: ['planned', 'in-progress', 'done'],
}

const isClosing = (state: IncidentState): boolean => state === 'resolved' || state === 'done'

/** Without its id. Throws unless it can be opened so. */
export function openIncident(given: NewIncident, at: Date): Omit<Incident, 'id'> {
  const { kind, title, titleEn, state, text, textEn } = given
  const incident = {
    kind,
    title: title.trim(),
    titleEn: titleEn?.trim() ?? null,
    components: inOrder(given.components),
    impact: kind === 'incident' ? (given.impact ?? 'degraded') : null,
    state,
    startsAt: given.startsAt ?? null,
    endsAt: given.endsAt ?? null,
    openedAt: at,
    closedAt: null,
    updates: [{ at, state, text: text.trim(), textEn: textEn?.trim() ?? null }],
  }
  const first = statesOf[kind].filter((one) => !isClosing(one))
  check({ ...problemsOf(incident), ...(!first.includes(state) && { state: [notOneOf(first)] }) })
  return incident
}

/** Throws unless it can be changed so. */
export function updateIncident(before: Incident, change: IncidentChange, at: Date): Incident {
  if (before.closedAt) throw refuseFields('Incident', { state: [isClosed] })
  const { state, text, textEn, impact, startsAt, endsAt } = change
  const after: Incident = {
    ...before,
    state,
    components: change.components ? inOrder(change.components) : before.components,
    impact: before.kind === 'incident' ? (impact ?? before.impact) : null,
    startsAt: startsAt ?? before.startsAt,
    endsAt: endsAt ?? before.endsAt,
    closedAt: isClosing(state) ? at : null,
    updates: [{ at, state, text: text.trim(), textEn: textEn?.trim() ?? null }, ...before.updates],
  }
  const allowed = statesAfter(before)
  check({ ...problemsOf(after), ...(!allowed.includes(state) && { state: [notOneOf(allowed)] }) })
  return after
}

/** Maintenance that is in progress is no longer planned. */
function statesAfter({ kind, state }: Pick<Incident, 'kind' | 'state'>): readonly IncidentState[] {
  return statesOf[kind].filter((one) => one !== 'planned' || state === 'planned')
}

/** The state that it gives to its components, if it is not closed. */
export function declaredState({ kind, state, impact, closedAt }: Incident): ComponentState {
  if (closedAt) return 'operational'
  if (kind === 'incident') return impact ?? 'degraded'
  return state === 'in-progress' ? 'maintenance' : 'operational'
}

type Checked = Pick<Incident, 'kind' | 'state' | 'startsAt' | 'endsAt'>

function problemsOf({ kind, state, startsAt, endsAt }: Checked): FieldProblems {
  if (kind === 'incident') {
    return { ...(startsAt && { startsAt: [ofMaintenance] }), ...(endsAt && { endsAt: [ofMaintenance] }) }
  }
  return {
    ...(state === 'planned' && !startsAt && { startsAt: [problem.missing] }),
    ...(startsAt && endsAt && endsAt <= startsAt && { endsAt: [endsTooEarly] }),
  }
}

function check(problems: FieldProblems) {
  if (Object.keys(problems).length > 0) throw refuseFields('Incident', problems)
}

const inOrder = (given: Component[]) => components.filter((component) => given.includes(component))

const isClosed = {
  code: 'exclusion',
  message: {
    en: 'cannot change any more: it is closed. What happens again is another incident',
    pt: 'não muda mais: está encerrado. Se acontecer de novo, abra outro incidente',
  },
}
const ofMaintenance = {
  code: 'absence',
  message: { en: 'is for maintenance only', pt: 'é só para manutenção' },
}
const endsTooEarly = {
  code: 'exclusion',
  message: { en: 'must be after the start', pt: 'deve ser depois do início' },
}
