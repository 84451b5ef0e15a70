/** The state of the service, for everybody (D625): no log-in, and it works without the database. */
import { type PublicIncident, ServiceStatus as StatusReply } from '../../contract/status.ts'
import type { Language } from '../../kit/text/language.ts'
import type { Incident } from '../../status/incident.ts'
import type { ServiceStatus, Status } from '../../status/service-status.ts'
import { type AnyEntry, entry } from '../entry.ts'

export function statusRoutes({ status }: { status: ServiceStatus }): AnyEntry[] {
  return [
    entry({
      method: 'GET',
      path: '/status',
      tag: 'Status',
      about: 'Whether the service works now, what happened lately, and planned maintenance',
      notes:
        'Needs no token, and answers 200 even while the rest of the service does not work. People read the same at `/status`. The texts are those of the operator, in Portuguese if they were not written in English.',
      may: 'anyone',
      limit: 'other',
      translated: true,
      reply: StatusReply,
      run: async ({ language }) => presentStatus(await status.current(), language),
    }),
  ]
}

export function presentStatus(status: Status, language: Language) {
  const { state, checkedAt, components, incidents, isRead, incidentsReadAt } = status
  const present = (incident: Incident) => presentIncident(incident, language)
  const isOpen = (incident: Incident) => incident.closedAt === null
  return {
    state,
    checkedAt: checkedAt.toISOString(),
    components,
    incidents: incidents.filter((one) => isOpen(one) && one.kind === 'incident').map(present),
    maintenance: incidents.filter((one) => isOpen(one) && one.kind === 'maintenance').map(present),
    history: incidents.filter((one) => !isOpen(one)).map(present),
    ...(!isRead && incidentsReadAt && { writtenAt: incidentsReadAt.toISOString() }),
  }
}

/** A text that has no English is shown in Portuguese. */
function presentIncident(incident: Incident, language: Language): PublicIncident {
  const choose = (pt: string, en: string | null) => (language === 'en' ? (en ?? pt) : pt)
  return {
    ...presentFields(incident),
    title: choose(incident.title, incident.titleEn),
    updates: incident.updates.map(({ at, state, text, textEn }) => ({
      at: at.toISOString(),
      state,
      text: choose(text, textEn),
    })),
  }
}

/** The fields of both descriptions: for customers, and for the operator. */
export function presentFields(incident: Incident) {
  const { id, kind, components, state, impact, startsAt, endsAt, openedAt, closedAt } = incident
  return {
    id,
    kind,
    components,
    state,
    ...(impact && { impact }),
    ...(startsAt && { startsAt: startsAt.toISOString() }),
    ...(endsAt && { endsAt: endsAt.toISOString() }),
    openedAt: openedAt.toISOString(),
    ...(closedAt && { closedAt: closedAt.toISOString() }),
  }
}
