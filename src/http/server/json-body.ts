/** Accepts JSON bodies, and forms on the routes of our pages. */
import type { FastifyInstance } from 'fastify'
import { refuse } from '../../contract/errors.ts'
import { jsonTokens } from '../../kit/json-text.ts'

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

const maxFormBytes = 8 * 1024

/**
 * D13: an empty body counts as no body, whatever its content type. A key named __proto__ is a key like any other:
 * JSON.parse makes it a property of its own, and nothing here copies properties by assignment.
 */
export function acceptJsonOnly(server: FastifyInstance) {
  server.decorateRequest('bodyText', '')
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    const text = String(body).replace(/^\uFEFF/, '')
    if (text === '') return done(null, undefined)
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

/** Whether all texts are free of NUL and lone surrogates, which the database cannot store. */
function isStorable(text: string): boolean {
  return jsonTokens(text).every((token) => {
    if (!token.startsWith('"') || !suspicious.test(token)) return true
    const content: string = JSON.parse(token)
    return !content.includes('\0') && content.isWellFormed()
  })
}
