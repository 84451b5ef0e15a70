/** What is wrong with a `where`: each text continues a sentence that begins with the path inside the filter. */
import type { Translated } from '../../kit/text/language.ts'
import { shared } from '../texts.ts'

export const texts = {
  ...shared,
  hasNul: { en: 'must not contain the NUL character', pt: 'não pode conter o caractere NUL' },
  malformedUnicode: { en: 'must be well-formed Unicode', pt: 'deve ser Unicode bem formado' },
  noUuid: { en: 'must be a UUID', pt: 'deve ser um UUID' },
  noText: { en: 'must be text', pt: 'deve ser um texto' },
  noScalar: {
    en: 'must be text, a number, true or false',
    pt: 'deve ser um texto, um número, true ou false',
  },
  noBoolean: { en: 'must be true or false, 1 or 0', pt: 'deve ser true ou false, 1 ou 0' },
  noNumber: { en: 'must be a number', pt: 'deve ser um número' },
  noWholeNumber: { en: 'must be a whole number', pt: 'deve ser um número inteiro' },
  outOfRange: { en: 'is out of range', pt: 'está fora dos limites' },
  noDate: { en: 'must be an ISO 8601 date', pt: 'deve ser uma data ISO 8601' },
  yearOutOfRange: {
    en: 'must lie in the years 0001 to 9999',
    pt: 'deve estar entre os anos 0001 e 9999',
  },
  emptyKey: { en: 'has an empty key', pt: 'tem uma chave vazia' },
  noOperator: { en: 'must name an operator', pt: 'deve ter um operador' },
  noKeyOrOperator: { en: 'must name a key or an operator', pt: 'deve ter uma chave ou um operador' },
  unknownOperator: { en: 'is not a known operator', pt: 'não é um operador conhecido' },
  optionsAlone: {
    en: 'goes with like, nlike or regexp',
    pt: 'só pode vir junto com like, nlike ou regexp',
  },
  unknownOptions: { en: 'must be "i"', pt: 'deve ser "i"' },
  isNull: { en: 'must not be null', pt: 'não pode ser null' },
  noNumberOrText: { en: 'must be a number or text', pt: 'deve ser um número ou um texto' },
  noPair: { en: 'must be an array of two values', pt: 'deve ser um array de dois valores' },
  mixedPair: {
    en: 'must be two numbers or two texts',
    pt: 'deve ter dois números ou dois textos',
  },
  unknownFlag: { en: 'may carry no flag but i', pt: 'não aceita outra flag além de i' },
  textOnly: { en: 'works on text only', pt: 'só funciona com campos de texto' },
} as const satisfies Record<string, Translated<string>>

export function noCalendarDate(date: string): Translated<string> {
  return {
    en: `${date} is not a date of the calendar`,
    pt: `${date} não é uma data do calendário`,
  }
}

export function noChoice(choices: readonly string[]): Translated<string> {
  const list = choices.join(', ')
  return { en: `must be one of ${list}`, pt: `deve ser um destes valores: ${list}` }
}

export function tooManyDecimals(most: number): Translated<string> {
  return {
    en: `must have at most ${most} decimals`,
    pt: `deve ter no máximo ${most} casas decimais`,
  }
}

export function needsKey(name: string): Translated<string> {
  return { en: `needs a key, as in ${name}.key`, pt: `precisa de uma chave, como em ${name}.key` }
}

export function tooManyKeys(most: number): Translated<string> {
  return { en: `has more than ${most} keys`, pt: `tem mais de ${most} chaves` }
}

export function tooManyValues(most: number): Translated<string> {
  return {
    en: `must not list more than ${most} values`,
    pt: `não pode ter mais de ${most} valores`,
  }
}

const counted = {
  conditions: { en: 'conditions', pt: 'condições' },
  regexps: { en: 'regexps', pt: 'expressões regulares' },
} as const satisfies Record<string, Translated<string>>

export function oneTooMany(what: keyof typeof counted, most: number): Translated<string> {
  return {
    en: `is one too many: a filter has at most ${most} ${counted[what].en}`,
    pt: `passa do limite: um filtro tem no máximo ${most} ${counted[what].pt}`,
  }
}
