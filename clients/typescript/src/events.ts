/** Events of the account, as webhooks carry them and as the feed lists them. */
import type { webhooks } from './api-types.ts'
import { pause, type Transport } from './transport.ts'

export type Metadata = Record<string, unknown>

/** The payload of each type of event; `M` is the metadata of calls. */
export type Payloads<M extends Metadata = Metadata> = {
  [T in keyof webhooks]: Omit<webhooks[T], 'eventType' | 'metadata'> & {
    eventType: T
    metadata: webhooks[T] extends { direction: string } ? M : Metadata
  }
}
/** Payload of a webhook: `switch (event.eventType)` narrows it. */
export type WebhookEvent<M extends Metadata = Metadata> = Payloads<M>[keyof webhooks]
/** Entry of the feed. Keep `cursor` to go on behind this event. */
export type FeedEvent<M extends Metadata = Metadata> = Exclude<WebhookEvent<M>, { eventType: 'test' }> & {
  cursor: string
}

type Reading = {
  /** The cursor of the last event that you have; by default the feed begins with the oldest event kept. */
  after?: string | undefined
  /** Events in one request, 1 to 1000. */
  limit?: number
  signal?: AbortSignal
}
type Following = Reading & {
  /** Milliseconds between requests while there is nothing new; 2,000 by default. */
  pollInterval?: number
  /** Ends when nothing came for so many milliseconds; by default it goes on for ever. */
  idleTimeout?: number
}
type Page<M extends Metadata> = { data: FeedEvent<M>[]; cursor: string; more: boolean }

export class Events<M extends Metadata> {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** The events that there are now. */
  async *list({ after, limit, signal }: Reading = {}): AsyncGenerator<FeedEvent<M>> {
    for (let cursor = after, more = true; more; ) {
      const page = await this.#page(cursor, limit, signal)
      yield* page.data
      cursor = page.cursor
      more = page.more
    }
  }

  /** The events that there are, and then those to come. */
  async *follow({
    after,
    limit,
    signal,
    pollInterval = 2_000,
    idleTimeout = Number.POSITIVE_INFINITY,
  }: Following = {}): AsyncGenerator<FeedEvent<M>> {
    let cursor = after
    let idleSince = performance.now()
    for (;;) {
      const page = await this.#page(cursor, limit, signal)
      yield* page.data
      cursor = page.cursor
      if (page.data.length > 0) idleSince = performance.now()
      if (page.more) continue
      const left = idleSince + idleTimeout - performance.now()
      if (left <= 0) return
      await pause(Math.min(pollInterval, left), signal)
    }
  }

  async #page(after: string | undefined, limit?: number, signal?: AbortSignal): Promise<Page<M>> {
    return (await this.#transport.send('GET', '/events', { query: { after, limit }, signal })) as Page<M>
  }
}
