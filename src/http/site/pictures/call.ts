/** The states of a call, as the API shows them (D14). */
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
    {
      at: [195, 30],
      size: [185, 54],
      text: 'ringing',
      more: { pt: 'o ramal, depois o destino', en: 'extension, then destination' },
    },
    {
      at: [445, 30],
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
        [194, 57],
      ],
    },
    {
      along: [
        [380, 57],
        [444, 57],
      ],
    },
    {
      along: [
        [565, 57],
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
        [250, 84],
        [250, 132],
        [210, 132],
        [210, 179],
      ],
    },
    {
      along: [
        [350, 84],
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
