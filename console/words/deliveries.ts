/** Words of events and their deliveries to webhooks. */
import type { Translated } from './translated.ts'

const pt = {
  event: 'Evento',
  statuses: { pending: 'Na fila', delivered: 'Entregue', dead: 'Falhou', skipped: 'Não se aplica' },
  nextAttempt: (moment: string) => `próxima tentativa: ${moment}`,
  behind: 'espera a entrega anterior',
  noAttempts: 'Ainda não foi enviado.',
  resend: 'Enviar de novo',
  resent: 'Na fila para ser enviado de novo.',
  body: 'Corpo enviado',
  took: (ms: number) => `${ms} ms`,
  types: {
    'channel-create': 'chamada criada',
    'channel-ringing': 'telefone tocando',
    'channel-answer': 'chamada atendida',
    'channel-hangup': 'chamada encerrada',
    'channel-transfer': 'chamada transferida',
    'recording-ready': 'gravação pronta',
    'recording-lost': 'gravação perdida',
    'call-updated': 'resultado da chamada alterado',
    'account-low-balance': 'saldo baixo',
    'account-alert': 'alerta da conta',
    'charge-paid': 'recarga paga',
    'charge-refunded': 'recarga reembolsada',
    test: 'teste',
  } as Record<string, string>,
}

const en: typeof pt = {
  event: 'Event',
  statuses: { pending: 'Queued', delivered: 'Delivered', dead: 'Failed', skipped: 'Does not apply' },
  nextAttempt: (moment) => `next attempt: ${moment}`,
  behind: 'waits for the delivery before it',
  noAttempts: 'Not sent yet.',
  resend: 'Send again',
  resent: 'Queued to be sent again.',
  body: 'Body that was sent',
  took: (ms) => `${ms} ms`,
  types: {
    'channel-create': 'call placed',
    'channel-ringing': 'phone rings',
    'channel-answer': 'call answered',
    'channel-hangup': 'call ended',
    'channel-transfer': 'call transferred',
    'recording-ready': 'recording ready',
    'recording-lost': 'recording lost',
    'call-updated': 'result of the call changed',
    'account-low-balance': 'low balance',
    'account-alert': 'alert of the account',
    'charge-paid': 'top-up paid',
    'charge-refunded': 'top-up refunded',
    test: 'test',
  },
}

export const deliveryWords: Translated<typeof pt> = { pt, en }
