/** Words of the search for anything. */
import type { Translated } from '../words/translated.ts'

const pt = {
  title: 'Buscar ou ligar',
  hint: 'Número, pessoa, contato, chamada ou página',
  results: 'Resultados',
  none: 'Nada encontrado',
  call: (who: string) => `Ligar para ${who}`,
  calls: (number: string) => `Chamadas com ${number}`,
  openCall: 'Abrir a chamada',
  colleague: (ramal: string) => `Ramal ${ramal}`,
  page: 'Página',
  found: (count: number) => (count === 1 ? '1 resultado' : `${count} resultados`),
}

const en: typeof pt = {
  title: 'Find or call',
  hint: 'Number, person, contact, call or page',
  results: 'Results',
  none: 'Nothing found',
  call: (who) => `Call ${who}`,
  calls: (number) => `Calls with ${number}`,
  openCall: 'Open the call',
  colleague: (ramal) => `Extension ${ramal}`,
  page: 'Page',
  found: (count) => (count === 1 ? '1 result' : `${count} results`),
}

export const finderWords: Translated<typeof pt> = { pt, en }
