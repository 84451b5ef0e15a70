/** Incidents and maintenance, written for customers (D626), and the state of the service as they see it. */
import { refuse, refuseFields } from '../../../../contract/errors.ts'
import {
  OperatorIncident,
  OperatorIncidentUpdate,
  OperatorNewIncident,
  OperatorStatus,
} from '../../../../contract/operator-incidents.ts'
import type { Incident } from '../../../../status/incident.ts'
import type { Incidents } from '../../../../status/incidents.ts'
import type { ServiceStatus } from '../../../../status/service-status.ts'
import { presentFields } from '../../../routes/status.ts'
import { type AnyOperatorEntry, operatorEntry } from '../operator-entry.ts'

export type IncidentDeps = { incidents: Incidents; status: ServiceStatus }

export function incidentEntries({ incidents, status }: IncidentDeps): AnyOperatorEntry[] {
  return [
    operatorEntry({
      method: 'GET',
      path: '/status',
      about:
        'Show the state of the service as customers see it, with incidents and maintenance in both languages',
      reply: OperatorStatus,
      async run() {
        const { state, checkedAt, components, incidents: rows } = await status.current()
        return { state, checkedAt: checkedAt.toISOString(), components, rows: rows.map(presentIncident) }
      },
    }),
    operatorEntry({
      method: 'POST',
      path: '/incidents',
      about: 'Open an incident, or plan maintenance',
      notes:
        'Shown at `/status` within 5 seconds. Texts are in Portuguese, and in English if it is given, too. In the log of the operator.',
      body: OperatorNewIncident,
      reply: OperatorIncident,
      run: async ({ body }) => presentIncident(await incidents.open({ ...body, ...readTimes(body) })),
    }),
    operatorEntry({
      method: 'POST',
      path: '/incidents/:id/updates',
      about: 'Write what is new, change what is affected, or close an incident or maintenance',
      notes:
        '`resolved` and `done` close it; a closed one does not change any more. What is left out stays as it is. In the log of the operator.',
      params: { id: '7' },
      body: OperatorIncidentUpdate,
      reply: OperatorIncident,
      errors: ['ROUTE_NOT_FOUND'],
      async run({ params: { id = '' }, body }) {
        const known = /^\d{1,15}$/.test(id) ? Number(id) : 0
        const updated = await incidents.update(known, { ...body, ...readTimes(body) })
        if (!updated) throw refuse('ROUTE_NOT_FOUND', { message: noIncident })
        return presentIncident(updated)
      },
    }),
  ]
}

/** The schema has checked their form; a day such as 30 February is none. */
function readTimes({ startsAt, endsAt }: { startsAt?: string; endsAt?: string }) {
  return { startsAt: readTime('startsAt', startsAt), endsAt: readTime('endsAt', endsAt) }
}

function readTime(field: string, text: string | undefined): Date | undefined {
  if (text === undefined) return undefined
  const time = new Date(text)
  if (Number.isNaN(time.getTime())) throw refuseFields('Incident', { [field]: [noTime] })
  return time
}

function presentIncident(incident: Incident) {
  const { title, titleEn, updates } = incident
  return {
    ...presentFields(incident),
    title,
    ...(titleEn !== null && { titleEn }),
    updates: updates.map(({ at, state, text, textEn }) => ({
      at: at.toISOString(),
      state,
      text,
      ...(textEn !== null && { textEn }),
    })),
  }
}

const noTime = {
  code: 'format',
  message: {
    en: 'must be a time such as 2026-11-20T03:00:00Z',
    pt: 'deve ser um horário como 2026-11-20T03:00:00Z',
  },
}
const noIncident = {
  en: 'There is no such incident.',
  pt: 'Este incidente não existe.',
}
