/**
 * What the body of a request carries besides its schema, under symbols, which neither the validator nor the API
 * description sees: the record it is about, the fields that belong to another route, what a field expects in words.
 */

import type { Translated } from '../../kit/text/language.ts'
import type { Resource } from '../errors.ts'
import type { TObject } from './type.ts'

const about = Symbol('about')
const expectation = Symbol('expectation')

export type BodyAbout = {
  resource: Resource
  /** The record as it is answered. */
  record?: TObject
  /** Fields that only another route changes, and the name of that route. */
  elsewhere?: Record<string, string>
}

/**
 * For every body. D61: fields of the record that the route does not take pass, since clients send whole records back;
 * those of `elsewhere` are refused; others are ignored, and named in the answer.
 */
export function bodyOf(resource: Resource, rest: Omit<BodyAbout, 'resource'> = {}) {
  return { additionalProperties: false, [about]: { resource, ...rest } }
}

export function aboutBody(schema: object): BodyAbout | undefined {
  return (schema as { [about]?: BodyAbout })[about]
}

/** For a field whose keywords do not say in words what it expects: a pattern, or a choice of types. */
export function expects(message: Translated<string>) {
  return { [expectation]: message }
}

export function expectationIn(schema: object): Translated<string> | undefined {
  return (schema as { [expectation]?: Translated<string> })[expectation]
}
