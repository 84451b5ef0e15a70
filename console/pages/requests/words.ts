/** Words of the log of requests. */
import type { Translated } from '../../words/translated.ts'

const pt = {
  title: 'Requisições',
  about: 'O que foi pedido à API nos últimos 7 dias, sem os corpos.',
  requestId: 'X-Request-Id ou chamada',
  requestIdHint: 'O X-Request-Id, que o suporte pede, está em cada resposta.',
  copyId: 'Copiar X-Request-Id',
  call: 'Chamada',
  answer: 'Resposta',
  answers: { '': 'Qualquer', ok: 'Sucesso', refused: 'Recusada (4xx)', failed: 'Falha (5xx)' },
  sender: 'Enviada por',
  senders: { '': 'Programas e console', token: 'Programas', session: 'Console' },
  by: { token: 'programa', session: 'console' } as Record<string, string>,
  when: 'Quando',
  request: 'Requisição',
  duration: 'Duração',
  who: 'Quem',
  empty: 'Nenhuma requisição encontrada',
}

const en: typeof pt = {
  title: 'Requests',
  about: 'What was asked of the API in the last 7 days, without bodies.',
  requestId: 'X-Request-Id or call',
  requestIdHint: 'X-Request-Id, for which support asks, is in every answer.',
  copyId: 'Copy X-Request-Id',
  call: 'Call',
  answer: 'Answer',
  answers: { '': 'Any', ok: 'Success', refused: 'Refused (4xx)', failed: 'Failed (5xx)' },
  sender: 'Sent by',
  senders: { '': 'Programs and console', token: 'Programs', session: 'Console' },
  by: { token: 'program', session: 'console' },
  when: 'When',
  request: 'Request',
  duration: 'Duration',
  who: 'Who',
  empty: 'No request found',
}

export const requestWords: Translated<typeof pt> = { pt, en }
