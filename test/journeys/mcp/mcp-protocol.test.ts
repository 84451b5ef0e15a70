/** Messages of the Model Context Protocol, as they are on the wire (D573). */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { runRamal } from '../../helpers/programs/ramal-process.ts'
import { program, programOf } from '../../helpers/service/assistants.ts'
import { type Office, openOffice, startVoiceService, type VoiceService } from '../../helpers/service/voice.ts'

let service: VoiceService
let office: Office
beforeAll(async () => {
  service = await startVoiceService()
})
beforeEach(async () => {
  office = await openOffice(service)
})
afterAll(() => service.stop())

describe('the protocol at /mcp', () => {
  const versionKey = 'io.modelcontextprotocol/protocolVersion'
  const meta = { [versionKey]: '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': {} }
  const headersOf = (method: string, name?: string) => ({
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': method,
    ...(name && { 'mcp-name': name }),
  })
  async function post(message: unknown, headers: Record<string, string> = {}, method = 'POST') {
    const response = await fetch(`${service.url}/mcp`, {
      method,
      headers: { 'content-type': 'application/json', authorization: office.token, ...headers },
      ...(method === 'POST' && { body: JSON.stringify(message) }),
    })
    const answered = await response.text()
    return { status: response.status, body: answered === '' ? undefined : JSON.parse(answered) }
  }
  const ask = (method: string, params: object = {}) => ({ jsonrpc: '2.0', id: 1, method, params })

  test('discovery names both revisions; results are complete and say who answered', async () => {
    const { status, body } = await post(ask('server/discover', { _meta: meta }), headersOf('server/discover'))
    expect(status).toBe(200)
    expect(body.result).toMatchObject({
      resultType: 'complete',
      supportedVersions: ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26'],
      capabilities: { tools: {} },
      cacheScope: 'public',
      ttlMs: expect.any(Number),
      _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'ramal' } },
    })
  })

  test.each([
    [
      'an unknown version',
      ask('tools/list', { _meta: { ...meta, [versionKey]: '1900-01-01' } }),
      { ...headersOf('tools/list'), 'mcp-protocol-version': '1900-01-01' },
      400,
      -32022,
    ],
    ['headers that are missing', ask('tools/list', { _meta: meta }), {}, 400, -32020],
    [
      'another method in the header',
      ask('tools/list', { _meta: meta }),
      headersOf('tools/call'),
      400,
      -32020,
    ],
    [
      'another tool in the header',
      ask('tools/call', { name: 'balance', _meta: meta }),
      headersOf('tools/call', 'hang_up'),
      400,
      -32020,
    ],
    ['the version in the header alone', ask('tools/list'), headersOf('tools/list'), 400, -32020],
    [
      'no capabilities',
      ask('tools/list', { _meta: { [versionKey]: '2026-07-28' } }),
      headersOf('tools/list'),
      400,
      -32602,
    ],
    ['an unknown method', ask('resources/list', { _meta: meta }), headersOf('resources/list'), 404, -32601],
    [
      'an unknown tool',
      ask('tools/call', { name: 'dance', _meta: meta }),
      headersOf('tools/call', 'dance'),
      200,
      -32602,
    ],
    ['an unknown method of the former revision', ask('resources/list'), {}, 200, -32601],
    [
      'an unknown version of the former revision',
      ask('tools/list'),
      { 'mcp-protocol-version': '2024-01-01' },
      400,
      -32022,
    ],
    ['no JSON-RPC', { hello: 'world' }, {}, 400, -32600],
  ])('%s is refused', async (_, message, headers, status, code) => {
    const answered = await post(message, headers as Record<string, string>)
    expect([answered.status, answered.body.error.code]).toEqual([status, code])
  })

  test('notifications are accepted without an answer; there is no stream to open and no session to end', async () => {
    const notification = { jsonrpc: '2.0', method: 'notifications/initialized' }
    expect(await post(notification)).toEqual({ status: 202, body: undefined })
    expect((await post(undefined, {}, 'GET')).status).toBe(405)
    expect((await post(undefined, {}, 'DELETE')).status).toBe(405)
  })

  test('a former client that asks for an unknown version is offered the newest of its kind', async () => {
    const { body } = await post(
      ask('initialize', {
        protocolVersion: '2024-01-01',
        capabilities: {},
        clientInfo: { name: 'test', version: '1.0.0' },
      }),
    )
    expect(body.result).toMatchObject({ protocolVersion: '2025-11-25', serverInfo: { name: 'ramal' } })
  })
})

describe('ramal mcp', () => {
  test('answers what was asked before its input ended, writes nothing else, and leaves no file', async () => {
    const { command, args, cwd, env } = programOf({ url: service.url, token: office.token }, {})
    const child = spawn(command, args, { cwd, env })
    const asked = [
      { jsonrpc: '2.0', id: 'a', method: 'tools/call', params: { name: 'balance' } },
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      { jsonrpc: '2.0', id: 'b', method: 'ping' },
    ]
    child.stdin.end(`${asked.map((message) => JSON.stringify(message)).join('\n')}\nno json\n`)
    const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'close')])
    const answers = output
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(code).toBe(0)
    expect(answers.map(({ id }) => String(id)).sort()).toEqual(['a', 'b', 'null'])
    expect(answers.find(({ id }) => id === null).error.code).toBe(-32600)
    expect(readdirSync(cwd)).toEqual([])
  })

  test.each([
    [{ RAMAL_TOKEN: 'x'.repeat(64) }, [], 1, /refuses the token/],
    [{}, [], 2, /^Set RAMAL_TOKEN/],
    [{ RAMAL_TOKEN: 'x' }, ['--ceiling', 'ten'], 2, /^--ceiling is reais/],
    [{ RAMAL_TOKEN: 'x' }, ['--allow', 'all'], 2, /^--allow is numbers/],
  ])('%j %j is a clear error', async (env, args: string[], code, message) => {
    const given = { RAMAL_URL: service.url, ...(env as Record<string, string>) }
    const ended = await runRamal(['mcp', ...args], given, { program })
    expect([ended.code, ended.text]).toEqual([code, expect.stringMatching(message)])
  })
})
