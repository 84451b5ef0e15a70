/** D197: an alert, what it says, and the mail about it. Pure. */
import type { AlertRule } from '../../contract/accounts/account-limits.ts'
import type { Translated } from '../../kit/text/language.ts'
import { type Centavos, toReais, writeCentavos } from '../../kit/text/money.ts'
import type { Mail } from '../../mail/port.ts'
import type { Range } from '../ranges.ts'

export type Alert =
  | { rule: 'calls-per-day'; limit: number }
  | { rule: 'spending-per-day'; limit: Centavos }
  | { rule: 'calls-at-once'; limit: number }
  /** Without a range: a number outside Brazil. */
  | { rule: 'destination'; number: string; range: Range | undefined }
  | { rule: 'velocity'; calls: number; usual: number }
  | { rule: 'night'; calls: number }
  /** Codes of ISO 3166, or a calling code where there is no country. */
  | { rule: 'new-country'; countries: string[] }

/** What a program reads of an alert. */
export function detailsOf(alert: Alert): Record<string, unknown> {
  const { rule, ...details } = alert
  if (rule === 'spending-per-day') return { limit: toReais(alert.limit) }
  if (rule === 'destination') return { number: alert.number, prefix: alert.range?.prefix ?? null }
  return details
}

export function messageOf(alert: Alert): Translated<string> {
  switch (alert.rule) {
    case 'calls-per-day':
      return {
        en: `The account has placed ${alert.limit} calls in 24 hours, the most it may place. More are refused.`,
        pt: `A conta fez ${alert.limit} chamadas em 24 horas, o máximo permitido. Novas chamadas são recusadas.`,
      }
    case 'spending-per-day':
      return {
        en: `The account has spent the R$ ${writeCentavos(alert.limit)} it may spend on calls in 24 hours. More calls are refused.`,
        pt: `A conta gastou os R$ ${reaisInPortuguese(alert.limit)} que pode gastar com chamadas em 24 horas. Novas chamadas são recusadas.`,
      }
    case 'calls-at-once':
      return {
        en: `A call was refused: ${alert.limit} calls at once are the most allowed.`,
        pt: `Uma chamada foi recusada: são permitidas no máximo ${alert.limit} chamadas simultâneas.`,
      }
    case 'destination':
      return {
        en: `A call to +${alert.number} was refused: ${placeOf(alert.range).en} is not enabled for the account.`,
        pt: `Uma chamada para +${alert.number} foi recusada: ${placeOf(alert.range).pt} não está liberado para a conta.`,
      }
    case 'velocity':
      return {
        en: `${alert.calls} calls in 10 minutes; usual are ${alert.usual}.`,
        pt: `${alert.calls} chamadas em 10 minutos; o habitual são ${alert.usual}.`,
      }
    case 'night':
      return {
        en: `${alert.calls} calls in 10 minutes between midnight and 6 o'clock, when the account does not usually call.`,
        pt: `${alert.calls} chamadas em 10 minutos entre meia-noite e 6 horas, quando a conta não costuma ligar.`,
      }
    case 'new-country':
      return {
        en: `First calls to: ${alert.countries.join(', ')}.`,
        pt: `Primeiras chamadas para: ${alert.countries.join(', ')}.`,
      }
  }
}

function placeOf(range: Range | undefined): Translated<string> {
  return range?.name ?? { en: 'calling other countries', pt: 'ligar para outros países' }
}

function reaisInPortuguese(amount: Centavos): string {
  return writeCentavos(amount).replace('.', ',')
}

const subjects: Record<AlertRule, Translated<string>> = {
  'calls-per-day': { pt: 'limite diário de chamadas atingido', en: 'daily limit of calls reached' },
  'spending-per-day': { pt: 'limite diário de gastos atingido', en: 'daily limit of spending reached' },
  'calls-at-once': { pt: 'limite de chamadas simultâneas atingido', en: 'limit of calls at once reached' },
  destination: { pt: 'destino bloqueado', en: 'blocked destination' },
  velocity: { pt: 'muitas chamadas em pouco tempo', en: 'many calls in a short time' },
  night: { pt: 'chamadas durante a noite', en: 'calls at night' },
  'new-country': { pt: 'chamadas para um novo país', en: 'calls to a new country' },
}

/** D145: nothing in it was typed by a stranger. */
export function alertMail(recipient: string, domain: string, alert: Alert): Mail {
  const message = messageOf(alert)
  const { pt, en } = subjects[alert.rule]
  return {
    recipient,
    subject: `Alerta: ${pt} · Alert: ${en}`,
    text: `Olá!

Alerta da conta ${domain}:
${message.pt}

Se você não reconhece estas chamadas, troque as senhas dos ramais e revogue os tokens de acesso.
O mesmo alerta é enviado no máximo uma vez por hora.

--

Hello!

Alert of the account ${domain}:
${message.en}

If you do not recognise these calls, change the passwords of the extensions and revoke the access tokens.
The same alert is sent once an hour at most.
`,
  }
}
