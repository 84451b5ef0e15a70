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
  const textOf = (id: string, time: string, body: string) => `${id}.${time}.${body}`

  function headersOf(id: string, body: string): Record<string, string> {
    const time = String(seconds())
    const signature = format(vault.sign(purpose, textOf(id, time, body)))
    return { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': signature }
  }

  function isGenuine({ headers, body }: WebhookRequest): boolean {
    const [id, time, signature] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
      String(headers[name] ?? ''),
    )
    if (id === undefined || time === undefined || signature === undefined) return false
    const late = Math.abs(Number(time) - seconds())
    if (!/^\d{1,12}$/.test(time) || late > toleranceSeconds) return false
    const given = Buffer.from(signature)
    return vault.signWithAll(purpose, textOf(id, time, body)).some((genuine) => {
      const expected = Buffer.from(format(genuine))
      return given.length === expected.length && timingSafeEqual(given, expected)
    })
  }

  return { headersOf, isGenuine }
}

function format(signature: Buffer): string {
  return `v1,${signature.toString('base64')}`
}
