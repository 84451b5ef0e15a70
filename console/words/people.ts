/** Contacts and colleagues where somebody rings, dials or transfers. */
import type { Translated } from './translated.ts'

const pt = {
  lastCalls: 'Últimas chamadas',
  lastNote: 'Última anotação',
  colleagues: 'Colegas',
  presence: {
    free: 'livre',
    ringing: 'tocando',
    'in-call': 'em chamada',
    'do-not-disturb': 'não perturbe',
    offline: 'sem telefone',
  },
}

const en: typeof pt = {
  lastCalls: 'Last calls',
  lastNote: 'Last note',
  colleagues: 'Colleagues',
  presence: {
    free: 'free',
    ringing: 'ringing',
    'in-call': 'in a call',
    'do-not-disturb': 'do not disturb',
    offline: 'no phone',
  },
}

export const peopleWords: Translated<typeof pt> = { pt, en }
