/** Capacity of webhooks: events announced at a rate, delivered and received. */
import { setTimeout as sleep } from 'node:timers/promises'
import { inFolder } from '../service.ts'
import {
  type Receiver,
  startReceiver,
  startWebhookService,
  type WebhookService,
} from '../webhooks/webhook-service.ts'
import { measureCores } from './cores.ts'
import { type Capacity, type Reading, raise, tooSlow } from './ramp.ts'

const seconds = 3
const first = 500
const maxMs = 500
/** What is still on its way after the last event. */
const patienceMs = 5_000

export function deliveryCapacity(): Promise<Capacity[]> {
  return inFolder(async (folder) => {
    const receiver = await startReceiver('anywhere')
    const service = await startWebhookService(folder)
    try {
      await service.addIntegrations('steady', receiver.url, 1, 'channel-hangup')
      // The first seconds warm up the service, and count for nothing.
      await deliverAt(service, receiver, first)
      return [
        await raise({
          name: 'events delivered to a webhook',
          unit: '/s',
          first,
          highest: 16_000,
          run: (rate) => deliverAt(service, receiver, rate),
        }),
      ]
    } finally {
      await service.stop()
      await receiver.stop()
    }
  })
}

/** The service runs in this process, which also writes the events. */
async function deliverAt(service: WebhookService, receiver: Receiver, rate: number): Promise<Reading> {
  const { count } = await receiver.read()
  const total = rate * seconds
  const { result, ...used } = await measureCores({ service: service.pid, load: receiver.pid }, async () => {
    const began = performance.now()
    for (let announced = 0; announced < total; ) {
      const due = Math.min(total, Math.floor(((performance.now() - began) / 1000) * rate)) - announced
      if (due > 0) await service.announce(due)
      else await sleep(1)
      announced += Math.max(0, due)
    }
    return await receiveAll(receiver, count + total)
  })
  const latencies = quantiles(result)
  const missing = total - result.length
  const broken = missing > 0 ? `${missing} events were not received in time` : tooSlow(latencies, maxMs)
  return { ...used, latencies, broken }
}

async function receiveAll(receiver: Receiver, wanted: number): Promise<number[]> {
  const latencies: number[] = []
  for (const until = performance.now() + patienceMs; performance.now() < until; await sleep(20)) {
    const now = await receiver.read()
    latencies.push(...now.latencies)
    if (now.count >= wanted) break
  }
  return latencies
}

function quantiles(values: number[]) {
  const sorted = values.toSorted((one, other) => one - other)
  const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN
  return { p50: at(0.5), p99: at(0.99), p999: at(0.999) }
}
