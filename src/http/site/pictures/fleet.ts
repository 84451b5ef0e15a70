/** One machine, and a fleet. */
import type { Drawing } from '../drawing.ts'

export const fleetPicture: Drawing = {
  size: [760, 380],
  title: { pt: 'Uma máquina e uma frota', en: 'One machine and a fleet' },
  boxes: [
    {
      at: [10, 20],
      size: [200, 64],
      text: { pt: 'uma máquina', en: 'one machine' },
      more: { pt: 'api + worker + voice', en: 'api + worker + voice' },
    },
    {
      at: [10, 130],
      size: [200, 60],
      text: 'PostgreSQL',
      more: { pt: 'embutido, em ./data', en: 'embedded, in ./data' },
      kind: 'store',
    },
    {
      at: [300, 20],
      size: [130, 60],
      text: { pt: 'balanceador', en: 'balancer' },
      more: { pt: 'HTTPS', en: 'HTTPS' },
      kind: 'outside',
    },
    { at: [490, 20], size: [120, 60], text: 'api', more: { pt: 'várias', en: 'several' } },
    {
      at: [630, 20],
      size: [120, 60],
      text: 'worker',
      more: { pt: 'e-mail, webhooks', en: 'mail, webhooks' },
    },
    { at: [490, 150], size: [120, 60], text: 'voice', more: { pt: 'nó A', en: 'node A' } },
    { at: [630, 150], size: [120, 60], text: 'voice', more: { pt: 'nó B', en: 'node B' } },
    {
      at: [300, 150],
      size: [130, 60],
      text: { pt: 'telefones', en: 'phones' },
      more: { pt: 'e troncos', en: 'and trunks' },
      kind: 'outside',
    },
    { at: [360, 300], size: [120, 60], text: 'PostgreSQL', kind: 'store' },
    { at: [500, 300], size: [110, 60], text: 'Redis', kind: 'store' },
    {
      at: [630, 300],
      size: [120, 60],
      text: 'S3',
      more: { pt: 'gravações', en: 'recordings' },
      kind: 'store',
    },
  ],
  arrows: [
    {
      along: [
        [110, 84],
        [110, 129],
      ],
    },
    {
      along: [
        [430, 50],
        [489, 50],
      ],
    },
    {
      along: [
        [430, 180],
        [489, 180],
      ],
    },
    {
      along: [
        [550, 80],
        [550, 149],
      ],
      text: { pt: 'comandos', en: 'commands' },
      textAt: [470, 120],
    },
    {
      along: [
        [550, 210],
        [550, 250],
        [420, 250],
        [420, 299],
      ],
    },
    {
      along: [
        [690, 210],
        [690, 299],
      ],
    },
    {
      along: [
        [690, 250],
        [556, 250],
        [556, 299],
      ],
    },
    {
      along: [
        [610, 50],
        [620, 50],
        [620, 250],
      ],
    },
    {
      along: [
        [640, 80],
        [640, 130],
        [620, 130],
      ],
    },
  ],
}
