/** Accepts JSON bodies, and forms on the routes of our pages. */
import { isUtf8 } from 'node:buffer'
import type { FastifyInstance } from 'fastify'
import { refuse } from '../../../contract/errors.ts'
import { jsonTokens } from '../../../kit/json-text.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The JSON of the body as it was sent. */
    bodyText: string
  }
}

/** Escapes that may stand for a NUL or a lone surrogate: only bodies with one need a closer look. */
const suspicious = /\\u(0000|d[89a-f])/i

const unstorable = {
  en: 'The body has a NUL or half a character in a text.',
  pt: 'O corpo da requisição tem um caractere NUL ou meio caractere em um texto.',
}

const unreadable = {
  en: 'The body is neither UTF-8 nor text in the charset that Content-Type names.',
  pt: 'O corpo da requisição não está em UTF-8, nem no charset indicado em Content-Type.',
}

const maxFormBytes = 8 * 1024

/**
 * D13: an empty body counts as no body, whatever its content type. A key named __proto__ is a key like any other:
 * JSON.parse makes it a property of its own, and nothing here copies properties by assignment.
 */
export function acceptJsonOnly(server: FastifyInstance) {
  server.decorateRequest('bodyText', '')
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    const text = readText(body as Buffer, request.headers['content-type'])?.replace(/^\uFEFF/, '')
    if (text === '') return done(null, undefined)
    if (text === undefined) return done(refuse('MALFORMED_BODY', { message: unreadable }))
    let value: unknown
    try {
      value = JSON.parse(text)
    } catch (cause) {
      return done(refuse('MALFORMED_BODY', { cause }))
    }
    if (suspicious.test(text) && !isStorable(text)) {
      return done(refuse('MALFORMED_BODY', { message: unstorable }))
    }
    request.bodyText = text
    return done(null, value)
  })
  server.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: maxFormBytes },
    (request, body, done) => {
      if (!request.entry?.form) return done(refuse('UNSUPPORTED_MEDIA_TYPE'))
      const fields = Object.fromEntries(new URLSearchParams(String(body)))
      const hasNul = Object.values(fields).some((text) => text.includes('\0'))
      return hasNul ? done(refuse('MALFORMED_BODY', { message: unstorable })) : done(null, fields)
    },
  )
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
