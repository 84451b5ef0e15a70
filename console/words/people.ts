/** Contacts and colleagues where somebody rings, dials or transfers. */
import type { Translated } from './translated.ts'

const pt = {
  lastCalls: 'Últimas chamadas',
  lastNote: 'Última anotação',
  presence: { free: 'livre', on: 'telefone ligado', busy: 'em chamada', away: 'sem telefone' },
}

const en: typeof pt = {
  lastCalls: 'Last calls',
  lastNote: 'Last note',
  presence: { free: 'free', on: 'phone on', busy: 'in a call', away: 'no phone' },
}

export const peopleWords: Translated<typeof pt> = { pt, en }
