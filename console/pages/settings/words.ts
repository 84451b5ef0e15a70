/** Words of the account's settings and limits. */
import type { Translated } from '../../words/language.ts'

const pt = {
  title: 'Configurações',
  about: 'A conta e o que ela pode fazer.',
  account: 'Conta',
  domain: 'Domínio',
  timeZone: 'Fuso horário',
  company: 'Empresa',
  limits: 'Limites',
  limitsAbout: 'O operador do serviço altera estes limites.',
  callsPerDay: 'Chamadas em 24 horas',
  spendingPerDay: 'Gasto em 24 horas',
  atOnce: 'Chamadas ao mesmo tempo',
  perExtension: (count: string) => `${count} por ramal`,
  used: (used: string, limit: string) => `${used} de ${limit}`,
  international: 'Chamadas internacionais',
  allowed: 'Liberadas',
  barred: 'Bloqueadas',
  notProven: 'Limites menores até a conta informar CPF ou CNPJ, ou pagar a primeira recarga.',
}

const en: typeof pt = {
  title: 'Settings',
  about: 'The account, and what it may do.',
  account: 'Account',
  domain: 'Domain',
  timeZone: 'Time zone',
  company: 'Company',
  limits: 'Limits',
  limitsAbout: 'The operator of the service changes these limits.',
  callsPerDay: 'Calls in 24 hours',
  spendingPerDay: 'Spending in 24 hours',
  atOnce: 'Calls at once',
  perExtension: (count) => `${count} for an extension`,
  used: (used, limit) => `${used} of ${limit}`,
  international: 'International calls',
  allowed: 'On',
  barred: 'Off',
  notProven: 'Smaller limits until the account enters a tax id or pays its first top-up.',
}

export const settingsWords: Translated<typeof pt> = { pt, en }
