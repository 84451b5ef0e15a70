/** What a field expects, in words: read from its schema, so that no text of the validator reaches a client. */

import { notOneOf } from '../../../contract/errors.ts'
import { expectationIn } from '../../../contract/schema/body.ts'
import type { TSchema } from '../../../contract/schema/type.ts'
import { inEveryLanguage, type Translated } from '../../../kit/text/language.ts'

type Part = {
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  format?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  items?: TSchema
  properties?: Record<string, TSchema>
}

export function expectationOf(schema: TSchema): Translated<string> {
  const part = schema as Part
  const base = expectationIn(schema) ?? baseOf(part)
  const orNull = Array.isArray(part.type) && part.type.includes('null')
  return orNull ? { en: `${base.en}, or null`, pt: `${base.pt}, ou null` } : base
}

function baseOf(part: Part): Translated<string> {
  if (part.enum) return notOneOf(part.enum.filter((choice) => choice !== null)).message
  if (part.const !== undefined) return notOneOf([part.const]).message
  const types = typeof part.type === 'string' ? [part.type] : (part.type ?? [])
  switch (types.find((type) => type !== 'null')) {
    case 'string':
      return part.format === 'uuid' ? uuid : textOf(part)
    case 'integer':
      return numberOf(part, { en: 'a whole number', pt: 'um número inteiro' })
    case 'number':
      return numberOf(part, { en: 'a number', pt: 'um número' })
    case 'boolean':
      return { en: 'must be true or false', pt: 'deve ser true ou false' }
    case 'array':
      return { en: 'must be a list', pt: 'deve ser uma lista' }
    case 'object':
      return { en: 'must be an object', pt: 'deve ser um objeto' }
    default:
      return { en: 'is not valid', pt: 'não é válido' }
  }
}

const uuid = { en: 'must be a UUID', pt: 'deve ser um UUID' }

function textOf({ minLength = 0, maxLength }: Part): Translated<string> {
  const { en, pt } = { en: 'must be text', pt: 'deve ser um texto' }
  if (maxLength === undefined) {
    return minLength === 0
      ? { en, pt }
      : {
          en: `${en} of at least ${minLength} characters`,
          pt: `${pt} com pelo menos ${minLength} caracteres`,
        }
  }
  return minLength === 0
    ? { en: `${en} of at most ${maxLength} characters`, pt: `${pt} com no máximo ${maxLength} caracteres` }
    : {
        en: `${en} of ${minLength} to ${maxLength} characters`,
        pt: `${pt} de ${minLength} a ${maxLength} caracteres`,
      }
}

function numberOf({ minimum, maximum }: Part, kind: Translated<string>): Translated<string> {
  const from: Translated<string> =
    minimum === undefined ? none : { en: ` from ${minimum}`, pt: ` a partir de ${minimum}` }
  const to: Translated<string> =
    maximum === undefined ? none : { en: ` up to ${maximum}`, pt: ` até ${maximum}` }
  const must = { en: 'must be', pt: 'deve ser' }
  return inEveryLanguage((language) => `${must[language]} ${kind[language]}${from[language]}${to[language]}`)
}

const none = { en: '', pt: '' }

/** The schema of a part of a body, by its JSON pointer; undefined where the schema says nothing of it. */
export function partAt(schema: TSchema | undefined, pointer: string): TSchema | undefined {
  let part: Part | undefined = schema as Part | undefined
  for (const key of pointer.split('/').slice(1)) {
    part = (part?.properties && Object.hasOwn(part.properties, key) ? part.properties[key] : part?.items) as
      | Part
      | undefined
  }
  return part as TSchema | undefined
}
