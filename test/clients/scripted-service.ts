/** A server that plays the answers of cases, and compares each request with the one that is expected. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

type Expected = {
  method: string
  path: string
  /** All of them; `filter` is compared as JSON. */
  query?: Record<string, unknown>
  body?: unknown
  /** `$key`: an id of the client's making, the same in the whole case; null: not sent. */
  headers?: Record<string, string | null>
}
export type ScriptedAnswer = {
  expect: Expected
  /** Seconds that must have passed since the request before. */
  after?: number
  status?: number
  headers?: Record<string, string>
  body?: unknown
  raw?: string
  base64?: string
  /** Closes the connection without an answer. */
  drop?: true
  /** Closes the connection in the middle of the body. */
  cut?: true
  /** Answers never. */
  hang?: true
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
/** Timers may fire a little early. */
const earlySeconds = 0.05

export type Script = ReturnType<typeof createScript>

function createScript(answers: ScriptedAnswer[]) {
  const problems: string[] = []
  let next = 0
  let key: string | undefined
  let last = 0

  function compare(what: string, found: unknown, expected: unknown) {
    const [a, b] = [JSON.stringify(found), JSON.stringify(expected)]
    if (a !== b) problems.push(`request ${next}: ${what} is ${a}, not ${b}`)
  }

  return {
    async play(request: IncomingMessage, response: ServerResponse, path: string) {
      const sent = await text(request)
      const answer = answers[next]
      next += 1
      if (!answer) {
        problems.push(`request ${next}, ${request.method} ${path}, is one too many`)
        response.writeHead(418).end()
        return
      }
      const { expect, after } = answer
      const url = new URL(path, 'http://case')
      compare('the method', request.method, expect.method)
      compare('the path', url.pathname, `/api/v1${expect.path}`)
      if (expect.query) compare('the query', queryOf(url), sorted(expect.query))
      if (expect.body !== undefined)
        compare('the body', sorted(JSON.parse(sent || 'null')), sorted(expect.body))
      for (const [name, value] of Object.entries(expect.headers ?? {})) {
        const found = request.headers[name] ?? null
        if (value === '$key') {
          if (!uuid.test(String(found))) problems.push(`request ${next}: ${name} is ${found}`)
          key ??= String(found)
          compare(name, found, key)
        } else compare(name, found, value)
      }
      const seconds = (performance.now() - last) / 1000
      if (after !== undefined && seconds < after - earlySeconds)
        problems.push(`request ${next} came after ${seconds} s, not ${after}`)
      last = performance.now()
      if (answer.drop) request.socket.destroy()
      else if (answer.cut) cut(response, answer)
      else if (!answer.hang) write(response, answer)
    },
    /** Differences from what was expected, once the case is over. */
    problems: () =>
      next < answers.length ? [...problems, `${next} of ${answers.length} requests came`] : problems,
  }
}

function write(response: ServerResponse, { status = 200, headers = {}, body, raw, base64 }: ScriptedAnswer) {
  const content = base64 === undefined ? (raw ?? (body === undefined ? '' : JSON.stringify(body))) : base64
  const type = raw === undefined ? 'application/json; charset=utf-8' : 'text/html'
  response.writeHead(status, { 'content-type': type, ...headers })
  response.end(content, base64 === undefined ? 'utf8' : 'base64')
}

function cut(response: ServerResponse, { base64 = '' }: ScriptedAnswer) {
  const bytes = Buffer.from(base64, 'base64')
  response.writeHead(200, { 'content-length': bytes.length * 2 })
  response.write(bytes, () => response.destroy())
}

function queryOf({ searchParams }: URL) {
  const pairs = [...searchParams].map(([name, value]) => [
    name,
    name === 'filter' ? JSON.parse(value) : value,
  ])
  return sorted(Object.fromEntries(pairs))
}

/** With the keys of objects in order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, inner]) => [name, sorted(inner)]),
  )
}

/** Each case has a base URL of its own. */
export async function startScriptedService(cases: ScriptedAnswer[][]) {
  const scripts = cases.map(createScript)
  const server = createServer((request, response) => {
    const [, index = '', path = ''] = /^\/case-(\d+)(\/.*)$/.exec(request.url ?? '') ?? []
    void scripts[Number(index)]?.play(request, response, path)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    scripts,
    urlOf: (index: number) => `http://127.0.0.1:${port}/case-${index}`,
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
