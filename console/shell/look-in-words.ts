/** Words of the bar while the operator looks in. */
import type { Translated } from '../words/translated.ts'

const pt = {
  about: (user: string, time: string) => `Consulta do operador, só leitura, como ${user}, até ${time}.`,
  end: 'Encerrar consulta',
}
const en: typeof pt = {
  about: (user, time) => `Operator's look, read only, as ${user}, until ${time}.`,
  end: 'End look',
}
export const lookInWords: Translated<typeof pt> = { pt, en }
