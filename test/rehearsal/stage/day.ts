/** What the people of the rehearsal share: the service, the carrier, and what one of them waits for from another. */
import type { WebhookReceiver } from '../witnesses/webhook-receiver.ts'
import type { Carrier } from './carrier.ts'
import type { OrdinaryUser } from './ordinary-user.ts'
import type { Service } from './service.ts'

/** An account whose calls are compared with its webhooks in the evening. */
export type Books = { who: string; token: string; receiver: WebhookReceiver }

type Office = {
  /** Token of the ADMIN, for programs such as a CRM. */
  token: string
}

export type Day = {
  service: Service
  carrier: Carrier
  user: OrdinaryUser
  /** Screenshots and logs. */
  evidence: string
  books: Books[]
  /** The manager has signed up: the domain. */
  signedUp: Promised<string>
  /** The office has credit, colleagues, extensions and a number. */
  office: Promised<Office>
  numberAssigned: Promised<string>
}

export type Promised<T> = {
  value: Promise<T>
  keep: (value: T) => void
  /** For those who wait when the story of the other one has ended early. */
  break: () => void
}

export function promised<T>(what: string): Promised<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  promise.catch(() => {})
  return { value: promise, keep: resolve, break: () => reject(new Error(`${what} never came`)) }
}
