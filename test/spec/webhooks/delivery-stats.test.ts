/** GET /integrations/{id}/deliveries/stats (D621): deliveries by state over time. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { answer, type Receiver } from '../../helpers/programs/receiver.ts'
import { type Listening, listenWith } from '../../helpers/programs/webhook-listener.ts'
import { hours } from '../../helpers/run/test-clock.ts'
import { announce, callOf, deliverAll } from '../../helpers/service/announcements.ts'
import { openAccount } from '../../helpers/service/people.ts'
import { type Service, startService } from '../../helpers/service/service.ts'

let service: Service
const receivers: Receiver[] = []

beforeAll(async () => {
  service = await startService({ WEBHOOK_ALLOW_PRIVATE: 'true' })
})
afterEach(async () => {
  for (const receiver of receivers.splice(0)) await receiver.stop()
})
afterAll(() => service.stop())

const listen = (listening: Listening) => listenWith(service, receivers, listening)

type Period = { since: string; delivered: number; dead: number; pending: number; medianMs: number | null }

test('a day by the hour, weeks by the day: every period, with the counts of its events and how long answers took', async () => {
  const ana = await openAccount(service)
  const { receiver, id } = await listen({ who: ana })
  const stats = async (days?: number) => {
    const query = days === undefined ? '' : `?days=${days}`
    return (await service.api.get(`/integrations/${id}/deliveries/stats${query}`, ana)).body
  }
  const send = async () => {
    await announce(service, await callOf(service, ana.email), 'channel-hangup')
    await deliverAll(service)
  }
  await send()
  service.clock.advance(2 * hours)
  receiver.answerWith(answer(500))
  await send()
  service.clock.advance(60)

  const { data, seconds, from, to } = await stats()
  expect([data.length, seconds, to]).toEqual([24, 3600, service.clock.now().toISOString()])
  expect(data[0].since).toBe(from)
  const busy: Period[] = data.filter(({ delivered, pending }: Period) => delivered + pending > 0)
  expect(busy).toMatchObject([
    { delivered: 1, dead: 0, pending: 0, medianMs: expect.any(Number), p95Ms: expect.any(Number) },
    { delivered: 0, dead: 0, pending: 1 },
  ])
  expect(data.at(-1)).toMatchObject({ pending: 1 })
  expect(data[0]).toMatchObject({ delivered: 0, dead: 0, pending: 0, skipped: 0, medianMs: null })

  const week = await stats(7)
  expect([week.data.length, week.seconds]).toEqual([7, 86_400])
  expect(week.data.at(-1)).toMatchObject({ delivered: 1, pending: 1 })
})

test('is of the own webhooks alone, and for 1 to 30 days', async () => {
  const [ana, other] = [await openAccount(service), await openAccount(service)]
  const { id } = await listen({ who: ana })
  const status = async (path: string, who = ana) => (await service.api.get(path, who)).status
  expect(await status(`/integrations/${id}/deliveries/stats?days=30`)).toBe(200)
  expect(await status(`/integrations/${id}/deliveries/stats`, other)).toBe(404)
  expect(await status('/integrations/x/deliveries/stats')).toBe(404)
  for (const days of ['0', '31', 'all']) {
    expect(await status(`/integrations/${id}/deliveries/stats?days=${days}`)).toBe(400)
  }
})
