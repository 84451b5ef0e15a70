/** Incidents and maintenance as the operator writes them for customers (D626). */
import { bodyOf } from './schema/body.ts'
import { Instant, instantAs } from './schema/common.ts'
import { type Static, Type } from './schema/type.ts'
import {
  ComponentList,
  ComponentStates,
  IncidentFields,
  incidentImpacts,
  incidentKinds,
  incidentStates,
  State,
} from './status.ts'

const title = (example: string) =>
  Type.String({ minLength: 3, maxLength: 200, pattern: '\\S', examples: [example] })
const text = (example: string) =>
  Type.String({ minLength: 3, maxLength: 5_000, pattern: '\\S', examples: [example] })
const impact = Type.Optional(
  Type.Enum([...incidentImpacts], {
    description: 'Of an incident; `degraded` if left out. Its components are shown at least as bad',
    examples: ['degraded'],
  }),
)
const startsAt = Type.Optional(
  Type.String({
    format: 'date-time',
    description: 'Of maintenance; required while it is planned',
    examples: ['2026-11-20T03:00:00.000Z'],
  }),
)
const endsAt = Type.Optional(
  Type.String({
    format: 'date-time',
    description: 'Of maintenance: when it is expected to end',
    examples: ['2026-11-20T05:00:00.000Z'],
  }),
)
const state = Type.Enum([...incidentStates], { examples: ['investigating'] })

export const OperatorNewIncident = Type.Object(
  {
    kind: Type.Enum([...incidentKinds], { examples: ['incident'] }),
    title: title('Chamadas para celulares falham'),
    titleEn: Type.Optional(title('Calls to mobile numbers fail')),
    text: text('Estamos investigando falhas em chamadas para celulares.'),
    textEn: Type.Optional(text('We are investigating failed calls to mobile numbers.')),
    components: ComponentList,
    impact,
    state,
    startsAt,
    endsAt,
  },
  bodyOf('Incident'),
)
export type OperatorNewIncident = Static<typeof OperatorNewIncident>

/** Fields that are left out stay as they are. */
export const OperatorIncidentUpdate = Type.Object(
  {
    state,
    text: text('A operadora corrigiu a falha. Acompanhamos.'),
    textEn: Type.Optional(text('The carrier has fixed it. We keep watching.')),
    components: Type.Optional(ComponentList),
    impact,
    startsAt,
    endsAt,
  },
  bodyOf('Incident'),
)
export type OperatorIncidentUpdate = Static<typeof OperatorIncidentUpdate>

export const OperatorIncident = Type.Object(
  {
    ...IncidentFields,
    titleEn: Type.Optional(Type.String({ examples: ['Calls to mobile numbers fail'] })),
    updates: Type.Array(
      Type.Object({
        at: Instant,
        state,
        text: Type.String({ examples: ['Estamos investigando falhas em chamadas para celulares.'] }),
        textEn: Type.Optional(
          Type.String({ examples: ['We are investigating failed calls to mobile numbers.'] }),
        ),
      }),
      { description: 'The newest first' },
    ),
  },
  { $id: 'OperatorIncident' },
)
export type OperatorIncident = Static<typeof OperatorIncident>

export const OperatorStatus = Type.Object(
  {
    state: State,
    checkedAt: instantAs('2026-11-15T12:30:00.000Z'),
    components: ComponentStates,
    rows: Type.Array(OperatorIncident, {
      description: 'Those that are not closed, then those closed within the last 90 days; the newest first',
    }),
  },
  { $id: 'OperatorStatus' },
)
export type OperatorStatus = Static<typeof OperatorStatus>
