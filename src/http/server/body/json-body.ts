/** Reads a JSON body. */
import { isUtf8 } from 'node:buffer'
import type { FastifyRequest } from 'fastify'
import { refuse } from '../../../contract/errors.ts'
import { findJsonError } from '../../../kit/text/json-error.ts'
import { jsonTokens } from '../../../kit/text/json-text.ts'
import type { Translated } from '../../../kit/text/language.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The JSON of the body as it was sent. */
    bodyText: string
  }
}

/** Escapes that may stand for a NUL or a lone surrogate: only bodies with one need a closer look. */
const suspicious = /\\u(0000|d[89a-f])/i

export const unstorable = {
  en: 'The body has a NUL or half a character in a text.',
  pt: 'O corpo da requisição tem um caractere NUL ou meio caractere em um texto.',
}

const unreadable = {
  en: 'The body is neither UTF-8 nor text in the charset that Content-Type names.',
  pt: 'O corpo da requisição não está em UTF-8, nem no charset indicado em Content-Type.',
}

/**
 * A key named __proto__ is a key like any other: JSON.parse makes it a property of its own, and nothing here copies
 * properties by assignment.
 */
export function readJson(request: FastifyRequest, body: Buffer): unknown {
  const text = readText(body, request.headers['content-type'])?.replace(/^\uFEFF/, '')
  if (text === '') return undefined
  if (text === undefined) throw refuse('MALFORMED_BODY', { message: unreadable })
  const value = parse(text)
  if (suspicious.test(text) && !isStorable(text)) throw refuse('MALFORMED_BODY', { message: unstorable })
  request.bodyText = text
  return value
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    if (text.length > maxLocated) throw refuse('MALFORMED_BODY', { cause })
    throw refuse('MALFORMED_BODY', { message: noJson(text), cause })
  }
}

/** Finding the place costs more than parsing. Longer bodies are not written by hand. */
const maxLocated = 65_536

/** D101: with the place, which somebody who wrote the JSON by hand looks for. */
function noJson(text: string): Translated<string> {
  const { line, column, isIncomplete } = findJsonError(text)
  return isIncomplete
    ? {
        en: `The body is not valid JSON: it is incomplete, and ends at line ${line}, column ${column}.`,
        pt: `O corpo da requisição não é um JSON válido: está incompleto e termina na linha ${line}, coluna ${column}.`,
      }
    : {
        en: `The body is not valid JSON: there is an error at line ${line}, column ${column}.`,
        pt: `O corpo da requisição não é um JSON válido: há um erro na linha ${line}, coluna ${column}.`,
      }
}

/**
 * D375: JSON is UTF-8, whatever Content-Type says. Bytes that are not are text in the charset it names: replacement
 * characters would change what the client sent.
 */
function readText(body: Buffer, contentType = ''): string | undefined {
  if (isUtf8(body)) return body.toString()
  const [, charset = 'utf-8'] = /;\s*charset="?([\w-]+)/i.exec(contentType) ?? []
  try {
    return new TextDecoder(charset, { fatal: true }).decode(body)
  } catch {
    return undefined
  }
}

/** Whether all texts are free of NUL and lone surrogates, which the database cannot store. */
function isStorable(text: string): boolean {
  return jsonTokens(text).every((token) => {
    if (!token.startsWith('"') || !suspicious.test(token)) return true
    const content: string = JSON.parse(token)
    return !content.includes('\0') && content.isWellFormed()
  })
}
