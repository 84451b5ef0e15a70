/** The Model Context Protocol (D573, D574), with the official clients of both revisions, at `/mcp` and by `ramal mcp`. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import {
  Client as CurrentClient,
  StreamableHTTPClientTransport as CurrentHttp,
} from '@modelcontextprotocol/client'
import { StdioClientTransport as CurrentStdio } from '@modelcontextprotocol/client/stdio'
import { Client as FormerClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as FormerStdio } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport as FormerHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { addUser } from '../helpers/people.ts'
import { runRamal } from '../helpers/ramal-process.ts'
import { type Office, openOffice, startVoiceService, type VoiceService } from '../helpers/voice.ts'

const root = process.env.RELEASE_UNDER_TEST ?? fileURLToPath(new URL('../..', import.meta.url))
const program = join(root, 'bin/ramal.js')
const laptop = mkdtempSync(join(tmpdir(), 'ramal-laptop-'))

let service: VoiceService
let office: Office
beforeAll(async () => {
  // `ramal mcp` has the time of its own machine.
  service = await startVoiceService({}, new Date().toISOString())
})
beforeEach(async () => {
  office = await openOffice(service)
})
afterAll(async () => {
  await service.stop()
  rmSync(laptop, { recursive: true })
})

type Rails = { allow?: string; ceiling?: string; dryRun?: boolean }

const urlWith = ({ allow, ceiling, dryRun }: Rails, url = service.url) => {
  const address = new URL('/mcp', url)
  if (allow !== undefined) address.searchParams.set('allow', allow)
  if (ceiling !== undefined) address.searchParams.set('ceiling', ceiling)
  if (dryRun) address.searchParams.set('dry_run', 'true')
  return address
}
const withToken = (token: string) => ({ requestInit: { headers: { Authorization: `Bearer ${token}` } } })
const started = (token: string, { allow, ceiling, dryRun }: Rails, url = service.url) => ({
  command: process.execPath,
  args: [
    program,
    'mcp',
    ...(allow === undefined ? [] : ['--allow', allow]),
    ...(ceiling === undefined ? [] : ['--ceiling', ceiling]),
    ...(dryRun ? ['--dry-run'] : []),
  ],
  cwd: laptop,
  env: { PATH: process.env.PATH ?? '', RAMAL_URL: url, RAMAL_TOKEN: token, PORT: 'of another program' },
})

const about = { name: 'test', version: '1.0.0' }
const current = () => new CurrentClient(about, { versionNegotiation: { mode: { pin: '2026-07-28' } } })
const former = () => new FormerClient(about)

/** One shape for the clients of both revisions. */
type Assistant = {
  callTool: (call: { name: string; arguments: Record<string, unknown> }) => Promise<Record<string, unknown>>
  listTools: () => Promise<{ tools: { name: string; annotations?: object | undefined }[] }>
  getInstructions: () => string | undefined
  close: () => Promise<void>
}

const ways: [string, (token: string, rails: Rails) => Promise<Assistant>][] = [
  [
    '2026-07-28 at /mcp',
    async (token, rails) => {
      const client = current()
      await client.connect(new CurrentHttp(urlWith(rails), withToken(token)))
      expect(client.getNegotiatedProtocolVersion()).toBe('2026-07-28')
      return client
    },
  ],
  [
    '2026-07-28 by ramal mcp',
    async (token, rails) => {
      const client = current()
      await client.connect(new CurrentStdio(started(token, rails)))
      expect(client.getNegotiatedProtocolVersion()).toBe('2026-07-28')
      return client
    },
  ],
  [
    '2025-11-25 at /mcp',
    async (token, rails) => {
      const client = former()
      await client.connect(new FormerHttp(urlWith(rails), withToken(token)) as never)
      return client as Assistant
    },
  ],
  [
    '2025-11-25 by ramal mcp',
    async (token, rails) => {
      const client = former()
      await client.connect(new FormerStdio(started(token, rails)))
      return client as Assistant
    },
  ],
]
const [[, overHttp] = ['', undefined]] = ways

async function connect(way: (typeof ways)[number][1] | undefined, rails: Rails, token = office.token) {
  if (!way) throw new Error('there is no such way')
  const assistant = await way(token, rails)
  onTestFinished(() => assistant.close())
  const use = async (name: string, args: Record<string, unknown> = {}) => {
    const { structuredContent, content, isError } = await assistant.callTool({ name, arguments: args })
    const [first] = content as { text: string }[]
    // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the wire carries.
    return { isError: isError === true, text: first?.text ?? '', value: structuredContent as any }
  }
  return { assistant, use }
}

const called = '+55 48 99999-8888'
const callsOf = async (token = office.token) => (await service.api.get('/calls', { token })).body.data

/** A call of so many seconds is over and priced. */
async function talk(id: string, seconds: number) {
  service.engine.pickUp(id)
  service.engine.answer(id)
  await expect.poll(async () => (await service.api.get(`/calls/${id}`, office)).body.status).toBe('answered')
  service.clock.advance(seconds)
  service.engine.hangUpBy(id, 'other')
  const read = async () => (await service.api.get(`/calls/${id}`, office)).body.call_price
  await expect.poll(read).not.toBeNull()
  return Number(await read())
}

describe.each(ways)('a client of %s', (_, way) => {
  test('reads the tools and what they do to the world', async () => {
    const { assistant } = await connect(way, {})
    const { tools } = await assistant.listTools()
    const hints = tools.map(({ name, annotations }) => [name, annotations])
    const reading = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false }
    const acting = { readOnlyHint: false, destructiveHint: true, openWorldHint: true }
    expect(Object.fromEntries(hints)).toEqual({
      place_call: { ...acting, idempotentHint: false },
      hang_up: { ...acting, idempotentHint: true },
      list_calls: reading,
      call_story: reading,
      list_extensions: reading,
      balance: reading,
    })
    expect(assistant.getInstructions()).toContain('Calls ring at people and cost money')
  })

  test('places a call, finds it, hangs it up, and tells its story', async () => {
    const { use } = await connect(way, { allow: '5548*' })
    const { extensions } = (await use('list_extensions')).value
    expect(extensions).toEqual([{ ramal: '1000', first_name: 'Ana', last_name: 'Souza', registered: true }])
    const { value: placed } = await use('place_call', { extension: '1000', called, metadata: { lead: 7 } })
    expect(placed).toMatchObject({ placed: true, extension: '1000', called, ceiling: 10 })
    const { value: listed } = await use('list_calls', { from: '1000' })
    expect(listed).toMatchObject({
      total: 1,
      calls: [{ id: placed.id, metadata: { lead: 7, placed_by: 'mcp' } }],
    })
    expect((await use('hang_up', { id: placed.id })).value).toMatchObject({ id: placed.id })
    const ended = async () => (await use('call_story', { id: placed.id })).value
    await expect.poll(async () => (await ended()).events.at(-1)?.type).toBe('ended')
    const story = await ended()
    expect(story.call.id).toBe(placed.id)
    expect(JSON.stringify(story)).not.toContain('record_url')
    const { body: balance } = await service.api.get('/credits/balance', office)
    expect((await use('balance')).value).toEqual(balance)
  })

  test('reads why something is refused', async () => {
    const { use } = await connect(way, { allow: '*' })
    expect(await use('place_call', { extension: '1999', called })).toMatchObject({
      isError: true,
      text: expect.stringContaining('EXTENSION_UNKNOWN'),
    })
    expect(await use('place_call', { extension: '1000' })).toMatchObject({
      isError: true,
      text: expect.stringContaining('called is required'),
    })
    expect(await use('call_story', { id: 'x/../y' })).toMatchObject({
      isError: true,
      text: expect.stringContaining('CALL_NOT_FOUND'),
    })
  })
})

describe('guard rails (D574)', () => {
  test('without a list no number may be called', async () => {
    const { use } = await connect(overHttp, {})
    const refused = await use('place_call', { extension: '1000', called })
    expect([refused.isError, refused.text]).toEqual([true, expect.stringContaining('not among the numbers')])
    expect(await callsOf()).toEqual([])
  })

  test.each([
    ['5548*', '+55 48 99999-8888', true],
    ['5548*', '48 99999-8888', true],
    ['5548*', '+55 11 99999-8888', false],
    ['48 99999-8888', '+5548999998888', true],
    ['5548999998888', '+55 48 99999-8889', false],
    ['*', '+55 11 99999-8888', true],
    ['*', '1001', false],
    ['1001', '1001', true],
    ['190', '+1 901 234 5678', false],
  ])('the list %s and the number %s: %s', async (allow, number, isAllowed) => {
    await office.addExtension('1001')
    const { use } = await connect(overHttp, { allow })
    const { isError, text: said } = await use('place_call', { extension: '1000', called: number })
    expect([isError, said.includes('not among the numbers')]).toEqual([!isAllowed, !isAllowed])
    expect(await callsOf()).toHaveLength(isAllowed ? 1 : 0)
  })

  test('what calls of assistants have cost in 24 hours, and a minute more, must be below the ceiling', async () => {
    const { use } = await connect(overHttp, { allow: '*', ceiling: '1000' })
    const { value: first } = await use('place_call', { extension: '1000', called })
    const price = await talk(first.id, 120)
    expect(price).toBeGreaterThan(0)
    const { minute_price } = (await service.api.get('/rates?to=5548999998888', office)).body
    // A call of a person does not count.
    const own = await service.api.post('/calls', { extension: '1000', called }, office)
    await talk(own.body.id, 60)

    const enough = (price + minute_price).toFixed(2)
    const tooLow = (price + minute_price - 0.01).toFixed(2)
    const low = await connect(overHttp, { allow: '*', ceiling: tooLow })
    const refused = await low.use('place_call', { extension: '1000', called })
    expect([refused.isError, refused.text]).toEqual([
      true,
      expect.stringContaining(`ceiling of R$ ${tooLow}`),
    ])
    const high = await connect(overHttp, { allow: '*', ceiling: enough })
    const { value: second } = await high.use('place_call', { extension: '1000', called })
    expect(second).toMatchObject({ placed: true, spent_in_24_hours: price })
    // A live call counts by its minutes.
    const live = await high.use('place_call', { extension: '1000', called: '+55 48 99999-8887' })
    expect(live.text).toContain('ceiling')
    service.clock.advance(86_400)
    const { value: next } = await low.use('list_calls', { status: 'completed' })
    expect(next.total).toBe(2)
  })

  test('a dry run calls the sandbox carrier, and with another one nobody', async () => {
    const { use } = await connect(overHttp, { allow: '*', dryRun: true })
    expect((await use('place_call', { extension: '1000', called })).value).toMatchObject({
      placed: true,
      dry_run: true,
    })
    expect(await callsOf()).toHaveLength(1)

    const real = await startVoiceService({
      TRUNKS: '[{"name": "main", "address": "sip:127.0.0.1:1;transport=tcp"}]',
    })
    try {
      const other = await openOffice(real)
      const client = current()
      await client.connect(
        new CurrentHttp(urlWith({ allow: '*', dryRun: true }, real.url), withToken(other.token)),
      )
      const { structuredContent } = await client.callTool({
        name: 'place_call',
        arguments: { extension: '1000', called },
      })
      expect(structuredContent).toMatchObject({ placed: false, dry_run: true, called })
      expect((await real.api.get('/calls', other)).body.data).toEqual([])
      await client.close()
    } finally {
      await real.stop()
    }
  })

  test.each(['allow=abc', 'allow=55**', 'ceiling=-1', 'ceiling=ten', 'dry_run=maybe', 'ceilings=1'])(
    'a mistake in the address is refused: %s',
    async (query) => {
      const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }
      const response = await fetch(`${service.url}/mcp?${query}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: office.token },
        body: JSON.stringify(ping),
      })
      expect(response.status).toBe(400)
    },
  )
})

describe('the same rules as the API', () => {
  test('a USER and a limited token do what they may do there', async () => {
    const bia = await addUser(service as never, office)
    const user = await connect(overHttp, { allow: '*' }, bia.token)
    expect(await user.use('balance')).toMatchObject({
      isError: true,
      text: expect.stringContaining('ACCESS_DENIED'),
    })
    expect((await user.use('place_call', { extension: '1000', called })).isError).toBe(true)
    const { body: limited } = await service.api.post(
      '/users/accessTokens',
      { scopes: ['calls:read'] },
      office,
    )
    const reader = await connect(overHttp, { allow: '*' }, limited.id)
    expect((await reader.use('list_calls')).value.total).toBe(0)
    expect(await reader.use('place_call', { extension: '1000', called })).toMatchObject({
      isError: true,
      text: expect.stringContaining('SCOPE_REQUIRED'),
    })
    expect(await callsOf()).toEqual([])
  })

  test('rate limits count tools as requests of the client', async () => {
    const limited = await startVoiceService({ RATE_LIMITS: 'on' })
    try {
      const other = await openOffice(limited)
      const client = current()
      await client.connect(new CurrentHttp(urlWith({}, limited.url), withToken(other.token)))
      // 15 lists of calls in a minute, by the table of the contract.
      const answers = []
      for (let index = 0; index < 16; index += 1)
        answers.push(await client.callTool({ name: 'list_calls', arguments: {} }))
      expect(answers.map(({ isError }) => isError === true)).toEqual([...Array(15).fill(false), true])
      expect(JSON.stringify(answers.at(-1))).toContain('RATE_LIMITED')
      expect((await limited.api.get('/calls', other)).status).toBe(429)
      await client.close()
    } finally {
      await limited.stop()
    }
  })

  test('without a token, or with one that is wrong, nothing is answered', async () => {
    for (const headers of [{}, { authorization: 'x'.repeat(64) }]) {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
      const response = await fetch(`${service.url}/mcp`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body,
      })
      expect(response.status).toBe(401)
    }
  })

  test('many tools leave no place of a request in progress taken', async () => {
    const small = await startVoiceService({ MAX_REQUESTS: '8' })
    try {
      const other = await openOffice(small)
      const client = current()
      await client.connect(new CurrentHttp(urlWith({}, small.url), withToken(other.token)))
      for (let index = 0; index < 30; index += 1)
        expect((await client.callTool({ name: 'list_extensions', arguments: {} })).isError).not.toBe(true)
      await client.close()
    } finally {
      await small.stop()
    }
  })
})

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
      ask('initialize', { protocolVersion: '2024-01-01', capabilities: {}, clientInfo: about }),
    )
    expect(body.result).toMatchObject({ protocolVersion: '2025-11-25', serverInfo: { name: 'ramal' } })
  })
})

describe('ramal mcp', () => {
  test('answers what was asked before its input ended, writes nothing else, and leaves no file', async () => {
    const { command, args, cwd, env } = started(office.token, {})
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
    expect(readdirSync(laptop)).toEqual([])
  })

  test.each([
    [{ RAMAL_TOKEN: 'x'.repeat(64) }, [], 1, /refuses the token/],
    [{}, [], 2, /^Set RAMAL_TOKEN/],
    [{ RAMAL_TOKEN: 'x' }, ['--ceiling', 'ten'], 2, /^--ceiling is reais/],
    [{ RAMAL_TOKEN: 'x' }, ['--allow', 'all'], 2, /^--allow is numbers/],
  ])('%j %j is a clear error', async (env, args: string[], code, message) => {
    const given = { RAMAL_URL: service.url, ...(env as Record<string, string>) }
    const ended = await runRamal(['mcp', ...args], given, { folder: laptop, program })
    expect([ended.code, ended.text]).toEqual([code, expect.stringMatching(message)])
  })
})
