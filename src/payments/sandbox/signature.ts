/** The sandbox's signature of its events: headers as in Standard Webhooks, computed for each attempt. */
import { timingSafeEqual } from 'node:crypto'
import type { Clock } from '../../kit/clock.ts'
import type { Vault } from '../../kit/vault.ts'
import type { WebhookRequest } from '../port.ts'

const purpose = 'sandbox gateway event'
/** For clock skew and slow requests. */
const toleranceSeconds = 300

export function createSignatures(vault: Vault, clock: Clock) {
  const seconds = () => Math.floor(clock.now().getTime() / 1000)
  const sign = (id: string, time: string, body: string) =>
    `v1,${vault.sign(purpose, `${id}.${time}.${body}`).toString('base64')}`

  function headersOf(id: string, body: string): Record<string, string> {
    const time = String(seconds())
    return { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': sign(id, time, body) }
  }

  function isGenuine({ headers, body }: WebhookRequest): boolean {
    const [id, time, signature] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
      String(headers[name] ?? ''),
    )
    if (id === undefined || time === undefined || signature === undefined) return false
    const late = Math.abs(Number(time) - seconds())
    if (!/^\d{1,12}$/.test(time) || late > toleranceSeconds) return false
    const [given, expected] = [Buffer.from(signature), Buffer.from(sign(id, time, body))]
    return given.length === expected.length && timingSafeEqual(given, expected)
  }

  return { headersOf, isGenuine }
}
