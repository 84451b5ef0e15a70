/** Words of the status page. */
import type {
  Component,
  ComponentState,
  IncidentImpact,
  IncidentKind,
  IncidentState,
} from '../../../contract/status.ts'
import type { Translated } from '../../../kit/text/language.ts'

type Words = {
  locale: string
  title: string
  overall: Record<ComponentState, string>
  checked: (moment: string) => string
  language: string
  components: string
  names: Record<Component, { name: string; about: string }>
  states: Record<ComponentState, string>
  stages: Record<IncidentState, string>
  impacts: Record<IncidentImpact, string>
  kinds: Record<IncidentKind, string>
  incidents: string
  maintenance: string
  history: string
  noHistory: string
  affects: (names: string) => string
  planned: (start: string, end: string | undefined) => string
  writtenAt: (moment: string) => string
  notWritten: string
  forPrograms: string
}

export const statusWords: Translated<Words> = {
  pt: {
    locale: 'pt-BR',
    title: 'Status do serviço',
    overall: {
      operational: 'Tudo funciona',
      maintenance: 'Em manutenção',
      degraded: 'Parte do serviço está com problemas',
      outage: 'Parte do serviço está fora do ar',
    },
    checked: (moment) => `Verificado em ${moment}`,
    language: 'Idioma',
    components: 'Agora',
    names: {
      api: { name: 'API e console', about: 'requisições, login, páginas' },
      calls: { name: 'Chamadas', about: 'telefones registrados e chamadas entre ramais' },
      carriers: { name: 'Chamadas externas', about: 'para números de telefone e deles para cá' },
      recordings: { name: 'Gravações', about: 'guardar e ouvir' },
      webhooks: { name: 'Webhooks', about: 'entrega de eventos' },
      payments: { name: 'Pagamentos', about: 'cobranças e créditos' },
    },
    states: {
      operational: 'Funciona',
      maintenance: 'Manutenção',
      degraded: 'Com problemas',
      outage: 'Fora do ar',
    },
    stages: {
      investigating: 'Investigando',
      identified: 'Causa identificada',
      monitoring: 'Acompanhando',
      resolved: 'Resolvido',
      planned: 'Planejada',
      'in-progress': 'Em andamento',
      done: 'Concluída',
    },
    impacts: { degraded: 'com problemas', outage: 'fora do ar' },
    kinds: { incident: 'Incidente', maintenance: 'Manutenção' },
    incidents: 'Incidentes em aberto',
    maintenance: 'Manutenção',
    history: 'Últimos 90 dias',
    noHistory: 'Nenhum incidente e nenhuma manutenção.',
    affects: (names) => `Afeta: ${names}`,
    planned: (start, end) => (end ? `De ${start} até ${end}` : `A partir de ${start}`),
    writtenAt: (moment) =>
      `O banco de dados do serviço não responde. Incidentes e manutenção aparecem como estavam em ${moment}.`,
    notWritten:
      'O banco de dados do serviço não responde. Incidentes e manutenção não podem ser lidos agora.',
    forPrograms: 'O mesmo para programas (JSON)',
  },
  en: {
    locale: 'en-GB',
    title: 'Service status',
    overall: {
      operational: 'Everything works',
      maintenance: 'Under maintenance',
      degraded: 'A part of the service has problems',
      outage: 'A part of the service is down',
    },
    checked: (moment) => `Checked at ${moment}`,
    language: 'Language',
    components: 'Now',
    names: {
      api: { name: 'API and console', about: 'requests, signing in, pages' },
      calls: { name: 'Calls', about: 'registered phones, and calls between extensions' },
      carriers: { name: 'Outside calls', about: 'to telephone numbers, and from them' },
      recordings: { name: 'Recordings', about: 'storing and playing' },
      webhooks: { name: 'Webhooks', about: 'delivery of events' },
      payments: { name: 'Payments', about: 'charges and credit' },
    },
    states: {
      operational: 'Works',
      maintenance: 'Maintenance',
      degraded: 'Has problems',
      outage: 'Down',
    },
    stages: {
      investigating: 'Investigating',
      identified: 'Cause identified',
      monitoring: 'Monitoring',
      resolved: 'Resolved',
      planned: 'Planned',
      'in-progress': 'In progress',
      done: 'Done',
    },
    impacts: { degraded: 'has problems', outage: 'down' },
    kinds: { incident: 'Incident', maintenance: 'Maintenance' },
    incidents: 'Open incidents',
    maintenance: 'Maintenance',
    history: 'Last 90 days',
    noHistory: 'No incident and no maintenance.',
    affects: (names) => `Affects: ${names}`,
    planned: (start, end) => (end ? `From ${start} to ${end}` : `From ${start}`),
    writtenAt: (moment) =>
      `The database of the service does not answer. Incidents and maintenance are shown as they were at ${moment}.`,
    notWritten: 'The database of the service does not answer. Incidents and maintenance cannot be read now.',
    forPrograms: 'The same for programs (JSON)',
  },
}
