/** The life of a webhook. */
import type { Drawing } from '../drawing.ts'

export const webhookPicture: Drawing = {
  size: [760, 260],
  title: { pt: 'Vida de um webhook', en: 'Life of a webhook' },
  boxes: [
    {
      at: [10, 30],
      size: [150, 60],
      text: { pt: 'a chamada muda', en: 'the call changes' },
      more: { pt: 'na mesma transação', en: 'in one transaction' },
    },
    {
      at: [215, 30],
      size: [140, 60],
      text: { pt: 'evento', en: 'event' },
      more: { pt: 'numerado, guardado', en: 'numbered, stored' },
      kind: 'store',
    },
    {
      at: [410, 30],
      size: [140, 60],
      text: { pt: 'entrega', en: 'delivery' },
      more: { pt: 'assinada', en: 'signed' },
    },
    {
      at: [605, 30],
      size: [145, 60],
      text: { pt: 'seu endereço', en: 'your address' },
      more: { pt: '15 s para responder', en: '15 s to answer' },
      kind: 'outside',
    },
    {
      at: [605, 180],
      size: [145, 60],
      text: { pt: 'entregue', en: 'delivered' },
      more: { pt: 'resposta 2xx', en: 'answered 2xx' },
      kind: 'good',
    },
    {
      at: [340, 180],
      size: [190, 60],
      text: { pt: 'nova tentativa', en: 'tried again' },
      more: { pt: '5 s, 5 min … 24 h', en: '5 s, 5 min … 24 h' },
    },
    {
      at: [60, 180],
      size: [190, 60],
      text: { pt: 'desistência', en: 'given up' },
      more: { pt: 'reenvio por 30 dias', en: 'resend for 30 days' },
      kind: 'bad',
    },
  ],
  arrows: [
    {
      along: [
        [160, 60],
        [214, 60],
      ],
    },
    {
      along: [
        [355, 60],
        [409, 60],
      ],
    },
    {
      along: [
        [550, 60],
        [604, 60],
      ],
    },
    {
      along: [
        [678, 90],
        [678, 179],
      ],
      text: { pt: '2xx', en: '2xx' },
      textAt: [686, 138],
    },
    {
      along: [
        [630, 90],
        [531, 190],
      ],
      text: { pt: 'erro ou demora', en: 'error or too slow' },
      textAt: [478, 128],
    },
    {
      along: [
        [435, 180],
        [470, 91],
      ],
    },
    {
      along: [
        [340, 210],
        [251, 210],
      ],
      text: { pt: 'esgotou', en: 'used up' },
      textAt: [266, 202],
    },
  ],
}
