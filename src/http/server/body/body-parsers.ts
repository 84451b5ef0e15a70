/** Which bodies are read: JSON, and forms on the routes of our pages. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { refuse } from '../../../contract/errors.ts'
import { andThen } from '../../../kit/maybe.ts'
import { isPacked, unpack } from './content-encoding.ts'
import { readJson, unstorable } from './json-body.ts'

type Read = (request: FastifyRequest, body: Buffer) => unknown
type Done = (error: Error | null, body?: unknown) => void

const maxFormBytes = 8 * 1024
const readTypes = /^\s*application\/(json|x-www-form-urlencoded)\b/i

export function acceptBodies(server: FastifyInstance) {
  server.decorateRequest('bodyText', '')
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('application/json', { parseAs: 'buffer' }, parser(readJson))
  server.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'buffer', bodyLimit: maxFormBytes },
    parser(readForm),
  )
  server.addContentTypeParser('*', { parseAs: 'buffer' }, parser(refuseType))
}

/**
 * Before the framework looks at the content type: it refuses those it cannot parse, and a type that nothing is read as
 * may stand beside an empty body. Without a type, `*` above takes the body.
 */
export function dropUnreadType({ headers }: FastifyRequest) {
  const type = headers['content-type']
  if (type !== undefined && !readTypes.test(type)) delete headers['content-type']
}

/**
 * D13: an empty body counts as no body, whatever its content type: axios, curl and PHP add one to nothing. A route that
 * takes no body ignores one that it cannot read: a call must not go on because of what a library adds to its hang-up.
 */
function parser(read: Read) {
  return (request: FastifyRequest, body: string | Buffer, done: Done) => {
    try {
      request.bodyArrived?.()
    } catch (error) {
      return done(error as Error)
    }
    if (isEmpty(body as Buffer)) return done(null, undefined)
    const encoding = request.headers['content-encoding']
    const fail = (error: unknown) => {
      if (takesNoBody(request)) done(null, undefined)
      else done(error as Error)
    }
    try {
      const plain = isPacked(encoding) ? unpack(body as Buffer, encoding) : (body as Buffer)
      const value = andThen(plain, (bytes) => (isEmpty(bytes) ? undefined : read(request, bytes)))
      if (value instanceof Promise) value.then((parsed) => done(null, parsed), fail)
      else done(null, value)
    } catch (error) {
      fail(error)
    }
  }
}

function takesNoBody({ entry, is404 }: FastifyRequest): boolean {
  return entry ? entry.body === undefined : is404
}

const maxDelimiterBytes = 100

/** A multipart form without parts is its closing delimiter alone. */
function isEmpty(body: Buffer): boolean {
  if (body.length === 0) return true
  return body.length <= maxDelimiterBytes && /^--[^\r\n]+--\s*$/.test(body.toString('latin1'))
}

function readForm({ entry }: FastifyRequest, body: Buffer) {
  if (!entry?.form) throw refuse('UNSUPPORTED_MEDIA_TYPE')
  const fields = Object.fromEntries(new URLSearchParams(body.toString()))
  const hasNul = Object.values(fields).some((text) => text.includes('\0'))
  if (hasNul) throw refuse('MALFORMED_BODY', { message: unstorable })
  return fields
}

function refuseType() {
  throw refuse('UNSUPPORTED_MEDIA_TYPE')
}
