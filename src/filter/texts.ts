/** What is wrong with the parameters of a list: each text continues a sentence that begins with the parameter's path. */
import type { Translated } from '../kit/text/language.ts'

/** Shared with the texts of `where`. */
export const shared = {
  mustBeArray: { en: 'must be an array', pt: 'deve ser um array' },
  mustBeObject: { en: 'must be an object', pt: 'deve ser um objeto' },
  unknownField: { en: 'is not a known field', pt: 'não é um campo conhecido' },
} as const satisfies Record<string, Translated<string>>

export function tooDeep(depth: number): Translated<string> {
  return {
    en: `is nested deeper than ${depth}`,
    pt: `tem mais de ${depth} níveis de aninhamento`,
  }
}

export function tooLong(characters: number): Translated<string> {
  return {
    en: `must not be longer than ${characters} characters`,
    pt: `não pode ter mais de ${characters} caracteres`,
  }
}

/** The query string and the two forms of a filter. */
export const queryTexts = {
  unknownParameter: { en: 'is not a known parameter', pt: 'não é um parâmetro conhecido' },
  unknownKey: { en: 'is not a known key', pt: 'não é uma chave conhecida' },
  givenTwice: { en: 'is given more than once', pt: 'aparece mais de uma vez' },
  twoForms: {
    en: 'must be JSON or brackets, not both',
    pt: 'deve estar em JSON ou em colchetes, não nas duas formas',
  },
  noJson: {
    en: 'is not valid JSON: names and text need double quotes, as in {"where":{"status":"busy"}}',
    pt: 'não é um JSON válido: nomes e textos precisam de aspas duplas, como em {"where":{"status":"busy"}}',
  },
  noJsonObject: { en: 'must be a JSON object', pt: 'deve ser um objeto JSON' },
  openBrackets: { en: 'has brackets that do not close', pt: 'tem colchetes que não se fecham' },
  bracketsTooDeep: { en: 'is nested too deep', pt: 'tem níveis de aninhamento demais' },
  valueAndKeys: { en: 'is given a value and keys', pt: 'recebe um valor e também chaves' },
} as const satisfies Record<string, Translated<string>>

/** `page`, `cursor`, `limit`, `offset` and `skip`. */
export const pageTexts = {
  pageRequired: { en: 'page is required.', pt: 'page é obrigatório.' },
  cursorAndPage: { en: 'goes without page', pt: 'não pode vir junto com page' },
  foreignCursor: {
    en: 'belongs to another filter or order',
    pt: 'pertence a outro filtro ou a outra ordenação',
  },
  foreignUpdates: {
    en: 'must be a cursor that this route gave',
    pt: 'deve ser um cursor fornecido por esta rota',
  },
  unknownCursor: {
    en: 'must be one that we gave as nextCursor',
    pt: 'deve ser um que nós fornecemos em nextCursor',
  },
  skipDiffers: { en: 'differs from filter.offset', pt: 'é diferente de filter.offset' },
} as const satisfies Record<string, Translated<string>>

export function noWholeNumber(min: number, max: number): Translated<string> {
  return {
    en: `must be a whole number from ${min} to ${max}`,
    pt: `deve ser um número inteiro de ${min} a ${max}`,
  }
}

export const orderTexts = {
  noText: { en: 'must be text such as "name DESC"', pt: 'deve ser um texto como "name DESC"' },
  fieldTwice: { en: 'names a field twice', pt: 'cita um campo duas vezes' },
  noField: { en: 'must name a field', pt: 'deve citar um campo' },
  notSortable: {
    en: 'is a field that cannot be sorted by',
    pt: 'é um campo pelo qual não se pode ordenar',
  },
  noDirection: { en: 'must be followed by ASC or DESC', pt: 'deve ser seguido de ASC ou DESC' },
} as const satisfies Record<string, Translated<string>>

export function tooManyOrderFields(most: number): Translated<string> {
  return {
    en: `must not name more than ${most} fields`,
    pt: `não pode citar mais de ${most} campos`,
  }
}

export const includeTexts = {
  noRelations: {
    en: 'must be the name of a relation, or a list of them',
    pt: 'deve ser o nome de uma relação, ou uma lista de nomes',
  },
  noRelation: { en: 'must be the name of a relation', pt: 'deve ser o nome de uma relação' },
} as const satisfies Record<string, Translated<string>>

/** `filter.fields`. */
export const selectionTexts = {
  noFields: {
    en: 'must be an array of names or an object of booleans',
    pt: 'deve ser um array de nomes ou um objeto de booleanos',
  },
  noName: { en: 'must be the name of a field', pt: 'deve ser o nome de um campo' },
  namedTwice: { en: 'is named twice', pt: 'é citado duas vezes' },
  noBoolean: { en: 'must be true or false', pt: 'deve ser true ou false' },
} as const satisfies Record<string, Translated<string>>
