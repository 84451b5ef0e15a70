/** Words of the monthly report, and how numbers, amounts and dates are written in them. */
import { type Language, languageTags, type Translated } from '../kit/text/language.ts'
import { type Centavos, toReais } from '../kit/text/money.ts'

const pt = {
  subject: (month: string) => `Relatório de ${month}`,
  hello: 'Olá!',
  about: (domain: string, month: string, before: string) =>
    `Chamadas da conta ${domain} em ${month}, comparadas com ${before}.`,
  calls: 'Chamadas',
  rate: 'Taxa de atendimento',
  minutes: 'Minutos',
  cost: 'Custo',
  before: 'antes',
  points: (difference: string) => `${difference} p.p.`,
  extensions: 'Ramais com mais chamadas',
  users: 'Usuários com mais chamadas',
  outcomes: 'Resultados',
  ofGroup: (calls: string, answered: string, minutes: string, cost: string) =>
    `${calls} chamadas, ${answered} atendidas, ${minutes} min, ${cost}`,
  removedUser: 'usuário removido',
  noOutcome: 'sem resultado',
  credit: 'Crédito',
  topUps: 'Recargas pagas',
  refunds: 'Estornos',
  others: 'Créditos de teste e ajustes',
  balance: (day: string) => `Saldo no fim de ${day}`,
  page: 'O mesmo período no console, dia a dia e com as chamadas de cada número:',
  why: 'Este relatório chega no dia 1º de cada mês aos administradores da conta que confirmaram o e-mail.',
  stop: 'Para não receber mais: um administrador o desliga na página Relatórios do console, ou com monthlyReport em PATCH /accounts/settings.',
}

const en: typeof pt = {
  subject: (month) => `Report of ${month}`,
  hello: 'Hello!',
  about: (domain, month, before) => `Calls of the account ${domain} in ${month}, compared with ${before}.`,
  calls: 'Calls',
  rate: 'Answer rate',
  minutes: 'Minutes',
  cost: 'Cost',
  before: 'before',
  points: (difference) => `${difference} pp`,
  extensions: 'Extensions with the most calls',
  users: 'Users with the most calls',
  outcomes: 'Outcomes',
  ofGroup: (calls, answered, minutes, cost) =>
    `${calls} calls, ${answered} answered, ${minutes} min, ${cost}`,
  removedUser: 'removed user',
  noOutcome: 'no outcome',
  credit: 'Credit',
  topUps: 'Top-ups paid',
  refunds: 'Refunds',
  others: 'Trial credit and adjustments',
  balance: (day) => `Balance at the end of ${day}`,
  page: 'The same period in the console, day by day and with the calls behind each figure:',
  why: 'This report comes on the 1st of each month to the administrators of the account who confirmed their e-mail.',
  stop: 'To stop it: an administrator switches it off on the Reports page of the console, or with monthlyReport in PATCH /accounts/settings.',
}

export type ReportWords = typeof pt
export const reportWords: Translated<ReportWords> = { pt, en }

export function createReportFormat(language: Language) {
  const tag = languageTags[language]
  const number = (options: Intl.NumberFormatOptions) => new Intl.NumberFormat(tag, options)
  const date = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(tag, { ...options, timeZone: 'UTC' })
  const count = number({ maximumFractionDigits: 0 })
  const signed = number({ maximumFractionDigits: 0, signDisplay: 'exceptZero' })
  const percent = number({ style: 'percent', maximumFractionDigits: 0 })
  const change = number({ style: 'percent', maximumFractionDigits: 0, signDisplay: 'exceptZero' })
  const money = number({ style: 'currency', currency: 'BRL' })
  const month = date({ month: 'long', year: 'numeric' })
  const day = date({ dateStyle: 'long' })
  return {
    count: (value: number) => count.format(value),
    signed: (value: number) => signed.format(value),
    percent: (share: number) => percent.format(share),
    /** With its sign. */
    change: (share: number) => change.format(share),
    money: (amount: Centavos) => money.format(toReais(amount)).replaceAll('\u00a0', ' '),
    /** `month` and `day` take a day such as `2026-10-01`. */
    month: (of: string) => month.format(new Date(of)),
    day: (of: string) => day.format(new Date(of)),
  }
}
export type ReportFormat = ReturnType<typeof createReportFormat>
