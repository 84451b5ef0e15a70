/** D626: what an incident may become. */
import { expect, test } from 'vitest'
import type { IncidentState } from '../contract/status.ts'
import { declaredState, type Incident, type NewIncident, openIncident, updateIncident } from './incident.ts'

const at = new Date('2026-11-15T12:00:00Z')
const later = new Date('2026-11-15T13:00:00Z')
const outage: NewIncident = {
  kind: 'incident',
  title: ' Chamadas falham ',
  text: 'Investigando.',
  components: ['carriers', 'calls'],
  impact: 'outage',
  state: 'investigating',
}
const window: NewIncident = {
  kind: 'maintenance',
  title: 'Troca de servidor',
  text: 'Sem chamadas por uma hora.',
  components: ['calls'],
  state: 'planned',
  startsAt: later,
}
const opened = (given: NewIncident): Incident => ({ id: 1, ...openIncident(given, at) })
const moved = (incident: Incident, state: IncidentState) =>
  updateIncident(incident, { state, text: 'Novo.' }, later)
const codesOf = (act: () => unknown) => {
  try {
    return act() && 'accepted'
  } catch (error) {
    return (error as { details: { en: { codes: object } } }).details.en.codes
  }
}

test('one that is opened has its first update, its components in order, and no spaces around its title', () => {
  expect(opened(outage)).toEqual({
    id: 1,
    kind: 'incident',
    title: 'Chamadas falham',
    titleEn: null,
    components: ['calls', 'carriers'],
    impact: 'outage',
    state: 'investigating',
    startsAt: null,
    endsAt: null,
    openedAt: at,
    closedAt: null,
    updates: [{ at, state: 'investigating', text: 'Investigando.', textEn: null }],
  })
})

test('an incident goes back and forth until it is resolved, and then stays as it is', () => {
  const monitored = moved(moved(opened(outage), 'identified'), 'monitoring')
  const resolved = moved(moved(monitored, 'investigating'), 'resolved')
  expect([resolved.closedAt, resolved.updates.map(({ state }) => state)]).toEqual([
    later,
    ['resolved', 'investigating', 'monitoring', 'identified', 'investigating'],
  ])
  expect(codesOf(() => moved(resolved, 'investigating'))).toEqual({ state: ['exclusion'] })
})

test('maintenance goes forward only, and may be called off', () => {
  const running = moved(opened(window), 'in-progress')
  expect(codesOf(() => moved(running, 'planned'))).toEqual({ state: ['inclusion'] })
  expect(moved(running, 'done').closedAt).toEqual(later)
  expect(moved(opened(window), 'done').closedAt).toEqual(later)
  expect(moved(opened(window), 'planned').updates).toHaveLength(2)
})

test.each([
  ['a state of the other kind', { ...outage, state: 'planned' }, { state: ['inclusion'] }],
  ['closed from the start', { ...outage, state: 'resolved' }, { state: ['inclusion'] }],
  [
    'an incident with a start',
    { ...outage, startsAt: at, endsAt: later },
    { startsAt: ['absence'], endsAt: ['absence'] },
  ],
  ['planned without a start', { ...window, startsAt: undefined }, { startsAt: ['presence'] }],
  ['an end before the start', { ...window, endsAt: at }, { endsAt: ['exclusion'] }],
] as [string, NewIncident, object][])('%s is refused', (_title, given, codes) => {
  expect(codesOf(() => opened(given))).toEqual(codes)
})

test('an update changes what it names, and maintenance has no impact', () => {
  const changed = updateIncident(
    opened(outage),
    { state: 'identified', text: 'Causa.', components: ['payments'], impact: 'degraded' },
    later,
  )
  expect([changed.components, changed.impact]).toEqual([['payments'], 'degraded'])
  expect([
    moved(opened(outage), 'identified').impact,
    opened({ ...window, impact: 'outage' }).impact,
  ]).toEqual(['outage', null])
})

test('components are at least as bad as an open incident says, and under maintenance while that is in progress', () => {
  expect(declaredState(opened(outage))).toBe('outage')
  expect(declaredState(opened({ ...outage, impact: undefined }))).toBe('degraded')
  expect(declaredState(moved(opened(outage), 'resolved'))).toBe('operational')
  expect(declaredState(opened(window))).toBe('operational')
  expect(declaredState(moved(opened(window), 'in-progress'))).toBe('maintenance')
})
