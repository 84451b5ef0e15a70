/** Words for the result of a call: outcome, tags, notes. */
import type { Translated } from './translated.ts'

const pt = {
  title: 'Resultado',
  outcome: 'Resultado',
  outcomes: 'O que resultou da chamada',
  none: 'Sem resultado',
  any: 'Qualquer resultado',
  choose: 'Definir',
  change: (label: string) => `${label}: alterar o resultado`,
  tags: 'Etiquetas',
  tagsHint: 'Separadas por vírgulas',
  notes: 'Anotações',
  save: 'Salvar',
  saved: 'Resultado salvo.',
  afterCall: (number: string) => `O que resultou da chamada com ${number}?`,
  keys: 'Um número escolhe o resultado, Enter salva, Esc fecha.',
  later: 'Agora não',
}

const en: typeof pt = {
  title: 'Result',
  outcome: 'Outcome',
  outcomes: 'What came of the call',
  none: 'No outcome',
  any: 'Any outcome',
  choose: 'Set',
  change: (label) => `${label}: change the result`,
  tags: 'Tags',
  tagsHint: 'Separated by commas',
  notes: 'Notes',
  save: 'Save',
  saved: 'Result saved.',
  afterCall: (number) => `What came of the call with ${number}?`,
  keys: 'A digit chooses the outcome, Enter saves, Esc closes.',
  later: 'Not now',
}

export const resultWords: Translated<typeof pt> = { pt, en }
