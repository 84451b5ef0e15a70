/** Words of the log of requests. */
import type { Translated } from '../../words/translated.ts'

const pt = {
  title: 'Requisições',
  about: 'O que seus programas e este console pediram à API nos últimos 7 dias. Os corpos não são guardados.',
  requestId: 'X-Request-Id ou chamada',
  requestIdHint:
    'O X-Request-Id está no cabeçalho de cada resposta; o suporte pergunta por ele. O identificador de uma chamada encontra o que a fez e o que tratou dela.',
  call: 'Chamada',
  answer: 'Resposta',
  answers: { '': 'Qualquer', ok: 'Sucesso', refused: 'Recusada (4xx)', failed: 'Falha (5xx)' },
  sender: 'Enviada por',
  senders: { '': 'Programas e console', token: 'Programas', session: 'Console' },
  when: 'Quando',
  request: 'Requisição',
  duration: 'Duração',
  who: 'Quem',
  empty: 'Nenhuma requisição encontrada',
}

const en: typeof pt = {
  title: 'Requests',
  about: 'What your programs and this console asked of the API in the last 7 days. Bodies are not stored.',
  requestId: 'X-Request-Id or call',
  requestIdHint:
    'X-Request-Id is in the header of every answer; support asks for it. The identifier of a call finds what placed it and what was about it.',
  call: 'Call',
  answer: 'Answer',
  answers: { '': 'Any', ok: 'Success', refused: 'Refused (4xx)', failed: 'Failed (5xx)' },
  sender: 'Sent by',
  senders: { '': 'Programs and console', token: 'Programs', session: 'Console' },
  when: 'When',
  request: 'Request',
  duration: 'Duration',
  who: 'Who',
  empty: 'No request found',
}

export const requestWords: Translated<typeof pt> = { pt, en }
