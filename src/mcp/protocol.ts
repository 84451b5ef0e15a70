/**
 * The Model Context Protocol, as far as a server of tools needs it (D573). Two revisions on one endpoint:
 *
 *   2026-07-28   every request says its version in `_meta`; no session; `server/discover`
 *   2025-11-25   and two before it: `initialize`, then requests; sessions are optional there, and not used
 */
import { defined } from '../kit/defined.ts'
import { ApiRefusal } from './api.ts'
import { type ToolContext, tools } from './tools.ts'

const modernVersion = '2026-07-28'
const legacyVersions = ['2025-11-25', '2025-06-18', '2025-03-26']
const supported = [modernVersion, ...legacyVersions]

const metaKeys = {
  version: 'io.modelcontextprotocol/protocolVersion',
  capabilities: 'io.modelcontextprotocol/clientCapabilities',
  server: 'io.modelcontextprotocol/serverInfo',
}

const codes = {
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  headerMismatch: -32020,
  unsupportedVersion: -32022,
}

/** Tools are the same for everybody. */
const cacheHints = { ttlMs: 3_600_000, cacheScope: 'public' }
const capabilities = { tools: {} }
const instructions =
  'Ramal places telephone calls between extensions of an account and numbers. Calls ring at people and cost money: ' +
  'confirm number and extension with the user before place_call, and use call_story to see how a call went.'

type Params = Record<string, unknown> & { _meta?: Record<string, unknown> }
type Id = string | number
type Request = { id: Id; method: string; params: Params }
/** Of an HTTP request; undefined over standard input and output. */
type Headers = Record<string, string | string[] | undefined>

/** `status` is that of the HTTP answer. Without a body there is nothing to answer. */
export type McpAnswer = { status: 200 | 202 | 400 | 404; body?: object }

class RpcError extends Error {
  readonly code: number
  readonly status: McpAnswer['status']
  readonly data: object | undefined

  constructor(code: number, message: string, status: McpAnswer['status'] = 200, data?: object) {
    super(message)
    this.code = code
    this.status = status
    this.data = data
  }
}

type Deps = { version: string; onError: (error: unknown) => void }

export function createMcp({ version, onError }: Deps) {
  const serverInfo = { name: 'ramal', title: 'Ramal', version }

  async function answer(message: unknown, context: ToolContext, headers?: Headers): Promise<McpAnswer> {
    const { id, method } = Object(message)
    try {
      const request = readRequest(message)
      // A notification, or an answer to a question that this server never asks.
      if (request === undefined) return { status: 202 }
      const isModern = metaKeys.version in (request.params._meta ?? {})
      if (isModern) checkModern(request, headers)
      else if (headers) checkLegacyHeader(headers)
      const result = isModern ? await runModern(request, context) : await runLegacy(request, context)
      return { status: 200, body: { jsonrpc: '2.0', id: request.id, result } }
    } catch (error) {
      const known = error instanceof RpcError ? error : undefined
      if (!known) onError(error)
      const { code = codes.internalError, data } = known ?? {}
      const sentence = known?.message ?? `${String(method)} failed.`
      const body = {
        jsonrpc: '2.0',
        id: isId(id) ? id : null,
        error: { code, message: sentence, ...defined({ data }) },
      }
      return { status: known?.status ?? 200, body }
    }
  }

  async function runModern({ method, params }: Request, context: ToolContext): Promise<object> {
    const _meta = { [metaKeys.server]: serverInfo }
    const complete = { resultType: 'complete', _meta }
    if (method === 'server/discover')
      return { ...complete, supportedVersions: supported, capabilities, instructions, ...cacheHints }
    if (method === 'tools/list') return { ...complete, tools: describeTools(), ...cacheHints }
    if (method === 'tools/call') return { ...complete, ...(await callTool(params, context)) }
    throw new RpcError(codes.methodNotFound, `There is no method ${method}.`, 404)
  }

  async function runLegacy({ method, params }: Request, context: ToolContext): Promise<object> {
    if (method === 'initialize') {
      const asked = legacyVersions.find((known) => known === params.protocolVersion)
      return { protocolVersion: asked ?? legacyVersions[0], capabilities, serverInfo, instructions }
    }
    if (method === 'ping') return {}
    if (method === 'tools/list') return { tools: describeTools() }
    if (method === 'tools/call') return await callTool(params, context)
    throw new RpcError(codes.methodNotFound, `There is no method ${method}.`)
  }

  return { answer }
}

const isId = (id: unknown): id is Id => typeof id === 'string' || Number.isInteger(id)

/** Undefined for what gets no answer. */
function readRequest(message: unknown): Request | undefined {
  const { jsonrpc, id, method, params = {} } = Object(message)
  const isMessage = jsonrpc === '2.0' && !Array.isArray(message)
  if (isMessage && method === undefined && isId(id)) return undefined
  const isValid = isMessage && typeof method === 'string' && params !== null && typeof params === 'object'
  if (!isValid || !(id === undefined || isId(id)))
    throw new RpcError(codes.invalidRequest, 'Send one JSON-RPC 2.0 request.', 400)
  return id === undefined ? undefined : { id, method, params }
}

function checkModern({ method, params }: Request, headers: Headers | undefined) {
  const { [metaKeys.version]: version, [metaKeys.capabilities]: client } = params._meta ?? {}
  if (headers) {
    checkHeader(headers, 'MCP-Protocol-Version', version)
    checkHeader(headers, 'Mcp-Method', method)
    if (method === 'tools/call') checkHeader(headers, 'Mcp-Name', params.name)
  }
  if (version !== modernVersion) throw unsupportedVersion(version)
  if (client === null || typeof client !== 'object')
    throw new RpcError(codes.invalidParams, `_meta has no ${metaKeys.capabilities}.`, 400)
}

function checkHeader(headers: Headers, name: string, value: unknown) {
  const given = headers[name.toLowerCase()]
  if (given === value) return
  const problem = given === undefined ? 'is missing' : 'is not what the body says'
  throw new RpcError(codes.headerMismatch, `The header ${name} ${problem}.`, 400)
}

/** A legacy request names its version in the header alone, the oldest not even there. */
function checkLegacyHeader(headers: Headers) {
  const version = headers['mcp-protocol-version']
  if (version === undefined || legacyVersions.some((known) => known === version)) return
  if (version === modernVersion)
    throw new RpcError(codes.headerMismatch, `_meta has no ${metaKeys.version}.`, 400)
  throw unsupportedVersion(version)
}

function unsupportedVersion(requested: unknown) {
  const message = `Unsupported protocol version: ${String(requested)}`
  return new RpcError(codes.unsupportedVersion, message, 400, { supported, requested })
}

function describeTools(): object[] {
  return tools.map(({ run, ...described }) => described)
}

/** What the API or a guard rail refuses is a result: the model reads it and can ask for something else. */
async function callTool({ name, arguments: args = {} }: Params, context: ToolContext): Promise<object> {
  const tool = tools.find((one) => one.name === name)
  if (!tool) throw new RpcError(codes.invalidParams, `There is no tool ${String(name)}.`)
  if (args === null || typeof args !== 'object' || Array.isArray(args))
    throw new RpcError(codes.invalidParams, 'arguments is an object.')
  try {
    const result = await tool.run(args as Record<string, unknown>, context)
    return { content: [{ type: 'text', text: JSON.stringify(result) }], structuredContent: result }
  } catch (error) {
    if (!(error instanceof ApiRefusal)) throw error
    return { content: [{ type: 'text', text: error.message }], isError: true }
  }
}
