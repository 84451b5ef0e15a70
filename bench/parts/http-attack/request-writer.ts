/** Hostile requests from a seed: an operation of the description with odd parts, in valid HTTP framing. */
import type { SeededRandom } from '../crash/seeded-random.ts'
import { api } from '../service.ts'
import { createBodyWriter } from './body-writer.ts'
import { createHostileFilters } from './hostile-filters.ts'
import { createHostileValues } from './hostile-values.ts'
import type { Operation } from './operations.ts'

export type FuzzRequest = {
  operation: Operation
  method: string
  head: string[]
  body: Buffer
  bytes: Buffer
}

/** What the writer knows of the service: its operations, tokens, and ids from its answers. */
export type Target = {
  operations: readonly Operation[]
  tokens: () => readonly string[]
  known: (name: string) => string | undefined
}

const methods = 'GET HEAD POST PUT PATCH DELETE OPTIONS TRACE PROPFIND MKCALENDAR PURGE'.split(' ')
const contentTypes = [
  '',
  'text/plain',
  'application/xml',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/json; charset=utf-16',
  'application/json;',
  'application/jsonx',
  'APPLICATION/JSON',
  'application/vnd.api+json',
  ';',
  'a'.repeat(5_000),
]
const oddHeaders = [
  'Accept: text/html',
  'Accept: */*;q=x, ,',
  'Accept-Language: pt-BR,pt;q=0.9,en;q=0.8',
  `Accept-Language: ${'a-'.repeat(2_000)}`,
  'Accept-Encoding: gzip, br',
  'Idempotency-Key: k1',
  'Idempotency-Key: \xff\xfe',
  `Idempotency-Key: ${'k'.repeat(9_000)}`,
  'X-Allow-Duplicate: maybe',
  'X-Request-Id: "><x>',
  'X-Forwarded-For: 1.2.3.4, , ::1, x',
  'X-Forwarded-Proto: javascript',
  'X-HTTP-Method-Override: DELETE',
  'Range: bytes=0-,5-1,-',
  'Range: bytes=99999999999999999999-',
  'If-None-Match: *',
  'If-Modified-Since: Sun, 31 Feb 2026 99:00:00 GMT',
  'Expect: 100-continue',
  'Origin: null',
  'Access-Control-Request-Method: DELETE',
  'Cookie: a=b; __proto__=c',
  'Content-Encoding: gzip',
  'Upgrade: h2c',
  'Connection: close',
  'Connection: keep-alive, X-Request-Id',
  'Authorization: second',
]
const otherPaths = (
  '/ /health /ready /addresses /metrics /mailbox /docs /docs/ /favicon.ico /api /api/v1 /api/v1/ /payments /pay/1 ' +
  '//api//v1//calls /api/v1/../v1/users /api/v2/calls /API/V1/users /.env /api/v1/calls;a=b /api/v1/%2e%2e'
).split(' ')
const badEscapes = ['%', '%zz', '%c3%28', '%00', '%u0041', '%25', '%2f', '%ff', '\\', '"', '{}', '|', '^']

export function createRequestWriter(random: SeededRandom, { operations, tokens, known }: Target) {
  const { below, pick, next } = random
  const values = createHostileValues(random)
  const filters = createHostileFilters(random)
  const writeBody = createBodyWriter(random)
  const { chance, any } = values
  const total = operations.reduce((sum, { weight }) => sum + weight, 0)

  function operation(): Operation {
    let at = next() * total
    const found = operations.find(({ weight }) => {
      at -= weight
      return at < 0
    })
    if (!found) throw new Error('the description has no operations')
    return found
  }

  const escaped = (text: string) => encodeURIComponent(text.toWellFormed())

  function pathOf({ path, parameters }: Operation): string {
    if (chance(0.03)) return any(otherPaths)
    const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
      if (chance(0.7)) return escaped(known(name) ?? String(exampleOf(parameters, name)))
      return chance(0.5) ? escaped(values.text()).slice(0, 20_000) : any(badEscapes)
    })
    return `${api}${filled}${chance(0.02) ? any(badEscapes) : ''}`
  }

  function exampleOf(parameters: Operation['parameters'], wanted: string): unknown {
    return parameters.find(({ name }) => name === wanted)?.example ?? 1
  }

  function parameterText(name: string, example: unknown): string {
    if (name === 'filter') return chance(0.1) ? values.text() : filters.filter()
    if (chance(0.5)) return String(known(name) ?? example ?? below(9))
    return chance(0.5) ? values.numberText() : values.text()
  }

  function queryOf({ parameters }: Operation): string {
    const parts = parameters
      .filter((parameter) => parameter.in === 'query' && chance(0.6))
      .map(({ name, example }) => {
        if (name === 'filter' && chance(0.1)) return filters.bracketed()
        return `${name}=${escaped(parameterText(name, example))}`
      })
    if (chance(0.05)) parts.push(parts[0] ?? 'page=1', 'page=2')
    if (chance(0.05)) parts.push(`${escaped(values.key())}=${escaped(values.text())}`)
    if (chance(0.03))
      parts.push(any(['access_token=x', '&&', '=', 'filter', 'page[]=1', 'page=%zz', 'filter=%']))
    // Beyond the largest header the server would answer 431 to all of them.
    return parts.length === 0 ? '' : `?${parts.join('&').slice(0, 60_000)}`
  }

  function authorization(): string[] {
    const token = pick(tokens())
    if (token === undefined || chance(0.05)) return []
    if (chance(0.05))
      return [`Authorization: ${any(['', 'Bearer', 'Basic YTpi', 'x'.repeat(9_000), '\xe9\xff'])}`]
    return [`Authorization: ${chance(0.3) ? 'Bearer ' : ''}${token}`]
  }

  function contentType(): string[] {
    if (chance(0.93)) return ['Content-Type: application/json']
    const given = any(contentTypes)
    return given === '' ? [] : [`Content-Type: ${given}`]
  }

  function write(): FuzzRequest {
    const chosen = operation()
    const method = chance(0.96) ? chosen.method : any(methods)
    const hasBody = chosen.schema ? chance(0.97) : chance(0.05)
    const body = hasBody ? writeBody(chosen, known) : Buffer.alloc(0)
    const head = [
      `${method} ${pathOf(chosen)}${queryOf(chosen)} HTTP/1.1`,
      `Host: ${chance(0.98) ? '127.0.0.1' : any(['', 'evil.example', 'a'.repeat(300), '[::1]:99999', 'x y'])}`,
      ...authorization(),
      ...(hasBody ? contentType() : []),
      ...oddHeaders.filter(() => chance(0.01)),
    ]
    const framed = !hasBody
      ? []
      : chance(0.85)
        ? [`Content-Length: ${body.length}`]
        : ['Transfer-Encoding: chunked']
    const content = framed[0]?.startsWith('T') ? inChunks(body) : body
    const bytes = Buffer.concat([
      Buffer.from(`${[...head, ...framed].join('\r\n')}\r\n\r\n`, 'latin1'),
      content,
    ])
    return { operation: chosen, method, head, body, bytes }
  }

  function inChunks(body: Buffer): Buffer {
    const chunks: Buffer[] = []
    for (let at = 0; at < body.length; ) {
      const piece = body.subarray(at, at + 1 + below(body.length))
      chunks.push(
        Buffer.from(`${piece.length.toString(16)}${chance(0.1) ? ';a="b"' : ''}\r\n`),
        piece,
        Buffer.from('\r\n'),
      )
      at += piece.length
    }
    chunks.push(Buffer.from(`0\r\n${chance(0.1) ? 'X-Trailer: a\r\n' : ''}\r\n`))
    return Buffer.concat(chunks)
  }

  return write
}
