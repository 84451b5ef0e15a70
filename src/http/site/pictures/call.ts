/** The states of a call, as `src/calls/call.ts` has them. */
import type { Drawing } from '../drawing.ts'

const notAnswered = {
  pt: 'não atendida: fim sem custo',
  en: 'not answered: costs nothing',
}

export const callPicture: Drawing = {
  size: [760, 250],
  title: { pt: 'Estados de uma chamada', en: 'States of a call' },
  boxes: [
    { at: [10, 30], size: [120, 54], text: 'queued', more: { pt: 'aceita', en: 'accepted' } },
    { at: [165, 30], size: [120, 54], text: 'ringing', more: { pt: 'o ramal toca', en: 'extension rings' } },
    { at: [320, 30], size: [120, 54], text: 'connecting', more: { pt: 'discando', en: 'dialling' } },
    {
      at: [475, 30],
      size: [120, 54],
      text: 'answered',
      more: { pt: 'conversa', en: 'talking' },
      kind: 'good',
    },
    {
      at: [630, 30],
      size: [120, 54],
      text: 'completed',
      more: { pt: 'tarifada', en: 'priced' },
      kind: 'good',
    },
    {
      at: [10, 180],
      size: [120, 54],
      text: 'cancelled',
      more: { pt: 'desistência', en: 'given up' },
      kind: 'bad',
    },
    { at: [150, 180], size: [120, 54], text: 'busy', more: { pt: 'ocupado', en: 'engaged' }, kind: 'bad' },
    {
      at: [290, 180],
      size: [120, 54],
      text: 'no_answer',
      more: { pt: 'não atendeu', en: 'rang out' },
      kind: 'bad',
    },
    {
      at: [430, 180],
      size: [120, 54],
      text: 'failed',
      more: { pt: 'não completou', en: 'not completed' },
      kind: 'bad',
    },
  ],
  arrows: [
    {
      along: [
        [130, 57],
        [164, 57],
      ],
    },
    {
      along: [
        [285, 57],
        [319, 57],
      ],
    },
    {
      along: [
        [440, 57],
        [474, 57],
      ],
    },
    {
      along: [
        [595, 57],
        [629, 57],
      ],
    },
    {
      along: [
        [70, 84],
        [70, 179],
      ],
    },
    {
      along: [
        [225, 84],
        [225, 132],
        [210, 132],
        [210, 179],
      ],
    },
    {
      along: [
        [380, 84],
        [380, 132],
        [350, 132],
        [350, 179],
      ],
    },
    {
      along: [
        [70, 132],
        [490, 132],
        [490, 179],
      ],
      text: notAnswered,
      textAt: [505, 137],
    },
  ],
}
