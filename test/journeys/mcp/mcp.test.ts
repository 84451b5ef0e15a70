/** The Model Context Protocol (D573), with the official clients of both revisions, at `/mcp` and by `ramal mcp`. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { connect, overHttp, ways } from '../../helpers/service/assistants.ts'
import { addUser } from '../../helpers/service/people.ts'
import { type Office, openOffice, startVoiceService, type VoiceService } from '../../helpers/service/voice.ts'

let service: VoiceService
let office: Office
beforeAll(async () => {
  // `ramal mcp` has the time of its own machine.
  service = await startVoiceService({}, new Date().toISOString())
})
beforeEach(async () => {
  office = await openOffice(service)
})
afterAll(() => service.stop())

const target = (token = office.token) => ({ url: service.url, token })
const called = '+55 48 99999-8888'
const callsOf = async () => (await service.api.get('/calls', office)).body.data

describe.each(ways)('a client of %s', (_, way) => {
  test('reads the tools and what they do to the world', async () => {
    const { assistant } = await connect(way, target())
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
    const { use } = await connect(way, target(), { allow: '5548*' })
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
    const { use } = await connect(way, target(), { allow: '*' })
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

describe('the same rules as the API', () => {
  test('a USER and a limited token do what they may do there', async () => {
    const bia = await addUser(service as never, office)
    const user = await connect(overHttp, target(bia.token), { allow: '*' })
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
    const reader = await connect(overHttp, target(limited.id), { allow: '*' })
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
      const { use } = await connect(overHttp, { url: limited.url, token: other.token })
      // 15 lists of calls in a minute, by the table of the contract.
      const answers = []
      for (let index = 0; index < 16; index += 1) answers.push(await use('list_calls'))
      expect(answers.map(({ isError }) => isError)).toEqual([...Array(15).fill(false), true])
      expect(answers.at(-1)?.text).toContain('RATE_LIMITED')
      expect((await limited.api.get('/calls', other)).status).toBe(429)
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
      const { use } = await connect(overHttp, { url: small.url, token: other.token })
      for (let index = 0; index < 30; index += 1) expect((await use('list_extensions')).isError).toBe(false)
    } finally {
      await small.stop()
    }
  })
})
