/**
 * D573: the Model Context Protocol at `/mcp`. Tools use the API of this process with the token of the request: routes, and
 * so permissions, scopes, limits, audit and log, are the same.
 */
import type { FastifyInstance } from 'fastify'
import { refuse, refuseParameter } from '../../contract/errors.ts'
import { Type } from '../../contract/schema/type.ts'
import type { Clock } from '../../kit/clock.ts'
import { defined } from '../../kit/defined.ts'
import type { Log } from '../../kit/process/log.ts'
import { type CallApi, pathWithQuery } from '../../mcp/api.ts'
import { type GuardRails, railTexts, readGuardRails } from '../../mcp/guard-rails.ts'
import { createMcp } from '../../mcp/protocol.ts'
import { type AnyEntry, basePath, Download, entry, type Query } from '../entry.ts'
import { readFlag } from '../routes/parameters.ts'
import { version } from '../version.ts'

const path = '/mcp'

/** JSON-RPC; what is wrong with a message is answered as JSON-RPC does. */
const Message = Type.Object(
  {
    jsonrpc: Type.Optional(Type.Unknown()),
    id: Type.Optional(Type.Unknown()),
    method: Type.Optional(Type.Unknown()),
    params: Type.Optional(Type.Unknown()),
    result: Type.Optional(Type.Unknown()),
    error: Type.Optional(Type.Unknown()),
  },
  { additionalProperties: true },
)

type Deps = { server: FastifyInstance; clock: Clock; log: Log }

export function mcpEntries({ server, clock, log }: Deps): AnyEntry[] {
  const mcp = createMcp({ version, onError: (error) => log.error({ err: error }, 'a tool failed') })
  const post = entry({
    method: 'POST',
    path,
    tag: 'Description',
    about: 'Model Context Protocol',
    may: 'users.read-own',
    scope: 'any',
    limit: 'other',
    query: { allow: railTexts.allow, ceiling: railTexts.ceiling, dry_run: 'true or false' },
    body: Message,
    async run({ caller, body, query, headers, address, credential }) {
      const sent = credential()
      // The cookie of the console is for its own pages.
      if (caller.session || !sent) throw refuse('AUTHORIZATION_REQUIRED')
      const callApi = createCallApi(server, sent.token, address)
      const context = { callApi, rails: readRails(query), now: clock.now() }
      const { status, body: answer } = await mcp.answer(body, context, headers)
      if (answer === undefined) return new Download(status, {})
      const type = { 'Content-Type': 'application/json; charset=utf-8' }
      return new Download(status, type, JSON.stringify(answer))
    },
  })
  // Beside the API, where clients look for it.
  return [{ ...post, pattern: path }]
}

function createCallApi(server: FastifyInstance, token: string, address: string): CallApi {
  return async (request) => {
    const { method, body, headers } = request
    const { statusCode, payload } = await server.inject({
      method,
      url: `${basePath}${pathWithQuery(request)}`,
      headers: { authorization: `Bearer ${token}`, accept: 'application/json', ...headers },
      remoteAddress: address,
      ...defined({ payload: body }),
    })
    return { status: statusCode, body: payload === '' ? undefined : JSON.parse(payload) }
  }
}

function readRails({ allow, ceiling, dry_run }: Query): GuardRails {
  const given = {
    allow: allow?.toString(),
    ceiling: ceiling?.toString(),
    dryRun: readFlag('dry_run', dry_run),
  }
  const rails = readGuardRails(given)
  if (!('wrong' in rails)) return rails
  throw refuseParameter(rails.wrong, wrongTexts[rails.wrong])
}

const wrongTexts = {
  allow: {
    en: `must be ${railTexts.allow}`,
    pt: 'deve ter números, ou os primeiros dígitos com asterisco, como 5548*, separados por vírgulas; * permite todos os telefones',
  },
  ceiling: { en: `must be ${railTexts.ceiling}`, pt: 'deve ser um valor em reais, como 10.00' },
}
