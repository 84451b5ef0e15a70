/** The state of the service as its customers see it (D625, D626). */
import { Instant, instantAs } from './schema/common.ts'
import { type Static, Type } from './schema/type.ts'

/** The parts of the service that a customer uses. `carriers`: calls to numbers outside of the service. */
export const components = ['api', 'calls', 'carriers', 'recordings', 'webhooks', 'payments'] as const
export type Component = (typeof components)[number]

/** From best to worst. */
export const componentStates = ['operational', 'maintenance', 'degraded', 'outage'] as const
export type ComponentState = (typeof componentStates)[number]

export const incidentKinds = ['incident', 'maintenance'] as const
export type IncidentKind = (typeof incidentKinds)[number]

export const incidentImpacts = ['degraded', 'outage'] as const
export type IncidentImpact = (typeof incidentImpacts)[number]

export const incidentStates = [
  'investigating',
  'identified',
  'monitoring',
  'resolved',
  'planned',
  'in-progress',
  'done',
] as const
export type IncidentState = (typeof incidentStates)[number]

export const ComponentList = Type.Array(Type.Enum([...components]), {
  minItems: 1,
  maxItems: components.length,
  description: 'What it affects',
  examples: [['calls', 'carriers']],
})

export const State = Type.Enum([...componentStates], { examples: ['operational'] })

export const ComponentStates = Type.Array(
  Type.Object({ name: Type.Enum([...components], { examples: ['api'] }), state: State }),
  {
    examples: [
      [
        { name: 'api', state: 'operational' },
        { name: 'calls', state: 'operational' },
        { name: 'carriers', state: 'degraded' },
        { name: 'recordings', state: 'operational' },
        { name: 'webhooks', state: 'operational' },
        { name: 'payments', state: 'operational' },
      ],
    ],
  },
)

const IncidentUpdate = Type.Object({
  at: Instant,
  state: Type.Enum([...incidentStates], { examples: ['identified'] }),
  text: Type.String({ examples: ['Calls to mobile numbers of one carrier fail; the others work.'] }),
})

export const IncidentFields = {
  id: Type.Integer({ examples: [7] }),
  kind: Type.Enum([...incidentKinds], { examples: ['incident'] }),
  title: Type.String({ examples: ['Calls to mobile numbers fail'] }),
  components: ComponentList,
  state: Type.Enum([...incidentStates], {
    description:
      'An incident is `investigating`, `identified`, `monitoring`, then `resolved`; maintenance is `planned`, `in-progress`, then `done`',
    examples: ['identified'],
  }),
  impact: Type.Optional(
    Type.Enum([...incidentImpacts], {
      description: 'Of an incident: how its components are affected',
      examples: ['degraded'],
    }),
  ),
  startsAt: Type.Optional(instantAs('2026-11-20T03:00:00.000Z')),
  endsAt: Type.Optional(instantAs('2026-11-20T05:00:00.000Z')),
  openedAt: Instant,
  closedAt: Type.Optional(instantAs('2026-11-15T13:10:00.000Z')),
}

const Incident = Type.Object(
  { ...IncidentFields, updates: Type.Array(IncidentUpdate, { description: 'The newest first' }) },
  { $id: 'Incident' },
)
export type PublicIncident = Static<typeof Incident>

export const ServiceStatus = Type.Object(
  {
    state: Type.Enum([...componentStates], {
      description: 'The worst of the components',
      examples: ['degraded'],
    }),
    checkedAt: Type.String({
      format: 'date-time',
      description: 'When this was found out; it may be some seconds old',
      examples: ['2026-11-15T12:30:00.000Z'],
    }),
    components: ComponentStates,
    incidents: Type.Array(Incident, { description: 'Incidents that are not over, the newest first' }),
    maintenance: Type.Array(Incident, { description: 'Maintenance that is planned or in progress' }),
    history: Type.Array(Incident, { description: 'Closed within the last 90 days, the newest first' }),
    writtenAt: Type.Optional(
      Type.String({
        format: 'date-time',
        description:
          'Only while the service cannot read incidents and maintenance: when it last could; they are shown as they were then',
        examples: ['2026-11-15T12:28:00.000Z'],
      }),
    ),
  },
  { $id: 'ServiceStatus', description: 'Whether the service works, and what happened lately' },
)
export type ServiceStatus = Static<typeof ServiceStatus>
