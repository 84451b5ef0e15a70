/** Integrations whose webhook is a real receiver. */
import type { CallEventType, WebhookType } from '../../../src/contract/webhooks/events.ts'
import type { Service } from '../service/service.ts'
import { type Receiver, startReceiver } from './receiver.ts'

/** What most tests listen to. */
export const both: CallEventType[] = ['channel-answer', 'channel-hangup']

export type Listening = {
  who: { token: string }
  types?: WebhookType[]
  version?: string
  constraint?: object
  path?: string
}

/** The receiver is added to `receivers`, which the test file stops. */
export async function listenWith(
  service: Service,
  receivers: Receiver[],
  { who, types = both, version = '1.8', constraint, path = '' }: Listening,
) {
  const receiver = await startReceiver()
  receivers.push(receiver)
  const metadata = { webhookUrl: `${receiver.url}${path}`, webhookVersion: version, webhookTypes: types }
  const gateway = `crm-${receiver.port}`
  const input = { gateway, webhook: true, metadata, ...(constraint && { webhookConstraint: constraint }) }
  const { body } = await service.api.patch('/integrations', input, who)
  const deliveries = async (query = '') =>
    (await service.api.get(`/integrations/${body.id}/deliveries?page=1${query}`, who)).body.data
  return { receiver, id: Number(body.id), secret: String(body.secret), deliveries }
}
