/** Deliveries to a receiver on this machine, sent and signed as the service does it. */
import { createHmac, randomBytes } from 'node:crypto'
import { readWebhookUrl } from '../../integrations/webhook-url.ts'
import { defined } from '../../kit/defined.ts'
import { systemTimers } from '../../kit/timers.ts'
import { chooseFindAddresses, createGuard } from '../../webhooks/sending/guard.ts'
import { createSender, type SendResult } from '../../webhooks/sending/sender.ts'
import { UsageError } from '../usage.ts'

type Env = Record<string, string | undefined>

const defaultReceiver = 'http://localhost:4000/hook'

export const receiverOptions = {
  'forward-to': { type: 'string' },
  secret: { type: 'string' },
} as const

export const receiverUsage = `  --forward-to <url>     your receiver, or RAMAL_FORWARD_TO (${defaultReceiver})
  --secret whsec_<base64>   signs the events, or RAMAL_WEBHOOK_SECRET; by default one that belongs to the token, always the same`

type Given = { 'forward-to'?: string | undefined; secret?: string | undefined }

export type Receiver = {
  url: string
  shown: string
  login: string | undefined
  secret: string
  /** Neither given nor that of a token: no receiver knows it yet. */
  isMadeUp: boolean
}

export function readReceiver(given: Given, env: Env, token: string | undefined): Receiver {
  const target = readWebhookUrl(given['forward-to'] ?? (env.RAMAL_FORWARD_TO || defaultReceiver))
  if ('problem' in target)
    throw new UsageError(`--forward-to is the address of your receiver, such as ${defaultReceiver}.`)
  const known = given.secret ?? (env.RAMAL_WEBHOOK_SECRET || undefined)
  const secret = known ?? secretOf(token)
  if (!/^whsec_[A-Za-z0-9+/]{8,}={0,2}$/.test(secret))
    throw new UsageError('--secret is whsec_ and base64, as an integration shows it.')
  const isMadeUp = known === undefined && token === undefined
  return { url: target.url, shown: target.shown, login: target.login, secret, isMadeUp }
}

/**
 * D570: the same for a token at every start, so that a receiver keeps its setting; the token cannot be computed from it.
 * Without a token a new one.
 */
function secretOf(token: string | undefined): string {
  const bytes =
    token === undefined ? randomBytes(24) : createHmac('sha256', token).update('ramal listen').digest()
  return `whsec_${bytes.subarray(0, 24).toString('base64')}`
}

export type Delivered = { type: string; id: string; sequence: number; body: string }

export function createForwarder({ url, login, secret }: Receiver) {
  // The receiver is the user's own, on whatever address.
  const guard = createGuard(() => true, chooseFindAddresses(true))
  const sender = createSender({ guard, timers: systemTimers })
  return {
    async send({ id, sequence, body }: Delivered): Promise<SendResult> {
      return await sender.send({
        id: `msg_${id}_${sequence}_local`,
        at: new Date(),
        url,
        body,
        secrets: [secret],
        ...defined({ login }),
      })
    },
    close: () => sender.close(),
  }
}

export const isAccepted = ({ status }: SendResult) => status !== null && status >= 200 && status < 300

/** One line, with what the receiver answered. */
export function describeDelivery({ type, id }: Delivered, result: SendResult, at: Date): string {
  return `${at.toTimeString().slice(0, 8)}  ${type.padEnd(20)} ${id}  ${describeAnswer(result)}`
}

/** For receivers that refuse without a word, as the samples do. */
const hints: Record<number, string> = {
  401: 'does the receiver have the secret above?',
  404: 'does the receiver take POST at this path?',
}

function describeAnswer({ status, ms, error, response }: SendResult): string {
  if (status === null) return `no answer: ${error}`
  const said = response.replaceAll(/\s+/g, ' ').trim().slice(0, 100) || hints[status] || ''
  const isFine = status >= 200 && status < 300
  return `${status} in ${ms} ms${isFine || said === '' ? '' : `: ${said}`}`
}
