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
    date: 'Dia',
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
  emptyAbout: 'Escolha um período maior, ou faça a primeira chamada pelo telefone.',
  otherDates: 'Outras datas',
  since: 'Desde',
  until: 'Até',
  before: (value: string) => `Antes: ${value}`,
  beforeAbout: (days: number, isCurrent: boolean) =>
    days === 1
      ? `Comparado com o dia anterior${isCurrent ? ', até a mesma hora' : ''}.`
      : `Comparado com os ${days} dias anteriores${isCurrent ? ', até a mesma hora' : ''}.`,
  hours: 'Por hora da semana',
  busiest: (hour: string, calls: string) => `Mais chamadas: ${hour} (${calls}).`,
  monthly: 'Relatório mensal por e-mail',
  monthlyLabel: 'Enviar no dia 1º de cada mês o relatório do mês anterior.',
  monthlyHint: 'A partir das 6 h, aos administradores da conta que confirmaram o e-mail.',
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
    date: 'Day',
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
  emptyAbout: 'Choose a longer period, or place the first call with the phone.',
  otherDates: 'Other dates',
  since: 'Since',
  until: 'Until',
  before: (value) => `Before: ${value}`,
  beforeAbout: (days, isCurrent) =>
    days === 1
      ? `Compared with the day before${isCurrent ? ', until the same time' : ''}.`
      : `Compared with the ${days} days before${isCurrent ? ', until the same time' : ''}.`,
  hours: 'By hour of the week',
  busiest: (hour, calls) => `Most calls: ${hour} (${calls}).`,
  monthly: 'Monthly report by mail',
  monthlyLabel: 'Send the report of the month before on the 1st of each month.',
  monthlyHint: 'From 6 am, to the administrators of the account who confirmed their e-mail.',
}

export const reportWords: Translated<typeof pt> = { pt, en }
