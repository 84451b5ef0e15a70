/** Types of webhook events as a table. */
import { type EventType, eventTypes } from '../../../contract/webhooks/events.ts'
import type { Language, Translated } from '../../../kit/text/language.ts'

const inPortuguese: Record<Exclude<EventType, 'test'>, string> = {
  'channel-answer': 'uma chamada foi atendida',
  'channel-hangup': 'uma chamada terminou',
  'channel-create': 'uma chamada foi criada',
  'channel-ringing': 'o telefone do ramal está tocando',
  'channel-transfer': 'uma chamada foi transferida e a outra parte atendeu',
  'recording-ready': 'a gravação de uma chamada pode ser baixada',
  'recording-lost': 'a gravação de uma chamada se perdeu',
  'call-updated': 'o resultado, as etiquetas ou as anotações de uma chamada mudaram',
  'account-low-balance': 'o saldo ficou abaixo do limite de aviso da conta',
  'account-alert': 'um limite da conta foi atingido ou algo fora do comum aconteceu',
  'charge-paid': 'uma cobrança foi paga e virou crédito',
  'charge-refunded': 'o dinheiro de uma cobrança voltou para quem pagou',
}

const words: Translated<{ head: string; user: string; admins: string }> = {
  pt: { head: '| Tipo | Quando | Quem recebe |', user: 'o usuário e os ADMINs', admins: 'ADMINs' },
  en: { head: '| Type | When | For |', user: 'the user and the ADMINs', admins: 'ADMINs' },
}

export function eventsPart(language: Language): string {
  const { head, user, admins } = words[language]
  const rows = eventTypes.map(({ type, about, audience }) => {
    const when = language === 'pt' ? inPortuguese[type] : about
    return `| \`${type}\` | ${when} | ${audience === 'admins' ? admins : user} |`
  })
  return [head, '|---|---|---|', ...rows].join('\n')
}
