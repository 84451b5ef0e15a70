/** Bodies: JSON, or nothing. */
import type { FastifyInstance } from 'fastify'
import { refuse } from '../../contract/errors.ts'

/** Escapes that may stand for a NUL or half a character; only then is it worth a closer look. */
const suspicious = /\\u(0000|d[89a-f])/i

/** An empty body is no body, whatever its content type says (D13). */
export function takeJsonOnly(server: FastifyInstance) {
  const parse = server.getDefaultJsonParser('error', 'ignore')
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    const text = String(body)
    if (text === '') return done(null, undefined)
    return parse(request, text, (error, value) => {
      if (!error && suspicious.test(text) && !isKeepable(value)) {
        return done(
          refuse('MALFORMED_BODY', { message: 'The body has a NUL or half a character in a text.' }),
        )
      }
      return done(error, value)
    })
  })
}

/** Text without NUL and without lone surrogates: what the database, and every reader of ours, can hold. */
function isKeepable(value: unknown): boolean {
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
