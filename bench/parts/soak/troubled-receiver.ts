/** A webhook receiver that takes every event of the account, and is stopped and started again at the same port. */
import { webhookTypes } from '../../../src/contract/webhooks/events.ts'
import type { FullService } from '../full-service/full-service.ts'
import { api } from '../service.ts'
import { type Receiver, startReceiver } from '../webhooks/webhook-service.ts'
import { createOutages, type Outage } from './outages.ts'

type Options = { service: FullService; outage: Outage; isOver: () => boolean }

export async function startTroubledReceiver({ service, outage, isOver }: Options) {
  let receiver: Receiver = await startReceiver('anywhere')
  const { port } = receiver
  let received = 0
  await subscribe(service, receiver.url)
  const outages = createOutages()

  async function stop() {
    received += (await receiver.read()).count
    await receiver.stop()
  }

  const running = outages.run({
    outage,
    leave: stop,
    async comeBack() {
      receiver = await startReceiver('anywhere', port)
    },
    isOver,
  })
  return {
    /** Resolves once it is there for good, with the number of its outages. */
    async isBack(): Promise<number> {
      await running
      return outages.count()
    },
    /** Returns how many webhooks it received in all. */
    async stop(): Promise<number> {
      await stop()
      return received
    },
  }
}

async function subscribe({ url, token }: FullService, webhookUrl: string) {
  const response = await fetch(`${url}${api}/integrations`, {
    method: 'PATCH',
    headers: { authorization: token, 'content-type': 'application/json' },
    body: JSON.stringify({ gateway: 'soak', webhook: true, metadata: { webhookUrl, webhookTypes } }),
  })
  if (response.status !== 200) throw new Error(`the integration was answered ${response.status}`)
}
