/** Words of the reports. */
import type { Translated } from '../../words/translated.ts'

const pt = {
  title: 'Relatórios',
  about: 'Quantas chamadas, quantas atendidas, quanto tempo e quanto custaram.',
  periods: { 1: 'Hoje', 7: '7 dias', 30: '30 dias', 90: '90 dias' } as Record<number, string>,
  period: 'Período',
  by: 'Por',
  groups: {
    extension: 'Ramal',
    user: 'Usuário',
    cause: 'Motivo do fim',
    direction: 'Direção',
    outcome: 'Resultado',
  },
  calls: 'Chamadas',
  answered: 'Atendidas',
  rate: 'Taxa de atendimento',
  minutes: 'Minutos',
  cost: 'Custo',
  most: 'máximo:',
  overTime: 'Ao longo do tempo',
  when: 'Quando',
  noGroup: '(nenhum)',
  noOutcome: 'Sem resultado',
  showAll: (count: string) => `Mostrar todos (${count})`,
  empty: 'Nenhuma chamada neste período',
}

const en: typeof pt = {
  title: 'Reports',
  about: 'How many calls, how many answered, how long, and what they cost.',
  periods: { 1: 'Today', 7: '7 days', 30: '30 days', 90: '90 days' },
  period: 'Period',
  by: 'By',
  groups: {
    extension: 'Extension',
    user: 'User',
    cause: 'End reason',
    direction: 'Direction',
    outcome: 'Outcome',
  },
  calls: 'Calls',
  answered: 'Answered',
  rate: 'Answer rate',
  minutes: 'Minutes',
  cost: 'Cost',
  most: 'maximum:',
  overTime: 'Over time',
  when: 'When',
  noGroup: '(none)',
  noOutcome: 'No outcome',
  showAll: (count) => `Show all (${count})`,
  empty: 'No calls in this period',
}

export const reportWords: Translated<typeof pt> = { pt, en }
