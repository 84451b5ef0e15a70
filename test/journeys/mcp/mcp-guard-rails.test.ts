/** What an assistant may not do, whatever it is asked (D574). */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { days } from '../../helpers/run/test-clock.ts'
import { connect, overHttp } from '../../helpers/service/assistants.ts'
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

const target = (token = office.token) => ({ url: service.url, token })
const called = '+55 48 99999-8888'
const callsOf = async () => (await service.api.get('/calls', office)).body.data

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

describe('guard rails (D574)', () => {
  test('without a list no number may be called', async () => {
    const { use } = await connect(overHttp, target())
    const refused = await use('place_call', { extension: '1000', called })
    expect([refused.isError, refused.text]).toEqual([true, expect.stringContaining('not among the numbers')])
    expect(await callsOf()).toEqual([])
  })

  test.each([
    ['5548*', '48 99999-8888', true],
    ['5548*', '+55 11 99999-8888', false],
    ['1001', '1001', true],
    ['*', '1001', false],
  ])('the list %s and the number %s: %s', async (allow, number, isAllowed) => {
    await office.addExtension('1001')
    const { use } = await connect(overHttp, target(), { allow })
    const { isError, text: said } = await use('place_call', { extension: '1000', called: number })
    expect([isError, said.includes('not among the numbers')]).toEqual([!isAllowed, !isAllowed])
    expect(await callsOf()).toHaveLength(isAllowed ? 1 : 0)
  })

  test('what calls of assistants have cost in 24 hours, and a minute more, must be below the ceiling', async () => {
    const { use } = await connect(overHttp, target(), { allow: '*', ceiling: '1000' })
    const { value: first } = await use('place_call', { extension: '1000', called })
    const price = await talk(first.id, 120)
    expect(price).toBeGreaterThan(0)
    const { minute_price } = (await service.api.get('/rates?to=5548999998888', office)).body
    // A call of a person does not count.
    const own = await service.api.post('/calls', { extension: '1000', called }, office)
    await talk(own.body.id, 60)

    const enough = (price + minute_price).toFixed(2)
    const tooLow = (price + minute_price - 0.01).toFixed(2)
    const low = await connect(overHttp, target(), { allow: '*', ceiling: tooLow })
    const refused = await low.use('place_call', { extension: '1000', called })
    expect([refused.isError, refused.text]).toEqual([
      true,
      expect.stringContaining(`ceiling of R$ ${tooLow}`),
    ])
    const high = await connect(overHttp, target(), { allow: '*', ceiling: enough })
    const { value: second } = await high.use('place_call', { extension: '1000', called })
    expect(second).toMatchObject({ placed: true, spent_in_24_hours: price })
    // A live call counts by its minutes.
    const live = await high.use('place_call', { extension: '1000', called: '+55 48 99999-8887' })
    expect(live.text).toContain('ceiling')
    service.engine.hangUpBy(second.id, 'other')
    const ended = async () => (await service.api.get(`/calls/${second.id}`, office)).body.ended_at
    await expect.poll(ended).not.toBeNull()
    service.clock.advance(days)
    await service.engine.register(office.extension('1000'))
    expect((await low.use('place_call', { extension: '1000', called })).value).toMatchObject({
      placed: true,
      spent_in_24_hours: 0,
    })
  })

  test('a dry run calls the sandbox carrier, and with another one nobody', async () => {
    const { use } = await connect(overHttp, target(), { allow: '*', dryRun: true })
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
      const there = { url: real.url, token: other.token }
      const away = await connect(overHttp, there, { allow: '*', dryRun: true })
      const { value } = await away.use('place_call', { extension: '1000', called })
      expect(value).toMatchObject({ placed: false, dry_run: true, called })
      expect((await real.api.get('/calls', other)).body.data).toEqual([])
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
