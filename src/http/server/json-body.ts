/** Accepts JSON bodies only. */
import type { FastifyInstance } from 'fastify'
import { refuse } from '../../contract/errors.ts'

/** Escapes that may stand for a NUL or a lone surrogate: only bodies with one need a closer look. */
const suspicious = /\\u(0000|d[89a-f])/i

const unstorable = {
  en: 'The body has a NUL or half a character in a text.',
  pt: 'O corpo da requisição tem um caractere NUL ou meio caractere em um texto.',
}

/** D13: an empty body counts as no body, whatever its content type. */
export function acceptJsonOnly(server: FastifyInstance) {
  const parse = server.getDefaultJsonParser('error', 'ignore')
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    const text = String(body)
    if (text === '') return done(null, undefined)
    return parse(request, text, (error, value) => {
      if (!error && suspicious.test(text) && !isStorable(value)) {
        return done(refuse('MALFORMED_BODY', { message: unstorable }))
      }
      return done(error, value)
    })
  })
}

/** Whether all texts are free of NUL and lone surrogates, which the database cannot store. */
function isStorable(value: unknown): boolean {
  const rest = [value]
  while (rest.length > 0) {
    const part = rest.pop()
    if (typeof part === 'string') {
      if (part.includes('\0') || !part.isWellFormed()) return false
    } else if (part !== null && typeof part === 'object') {
      for (const [key, inside] of Object.entries(part)) rest.push(key, inside)
    }
  }
  return true
}
