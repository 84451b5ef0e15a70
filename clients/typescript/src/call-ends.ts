/** Calls that end (D583): one request in turn serves all that wait, however many calls there are. */
import type { CallUpdates } from './api-types.ts'
import { pause, type Transport } from './transport.ts'

/** Later than every change: the answer has none, and the cursor of now. */
const timeToCome = '9999-01-01T00:00:00Z'
const limit = 1000

/** Calls that somebody waits for: those that are not known to be over, and those that are, until they are taken. */
export type Wait = { left: Set<string>; over: string[] }

export class CallEnds {
  readonly #transport: Transport
  readonly #waits = new Set<Wait>()
  #cursor: Promise<string> | undefined
  #readAt = 0
  #reading: Promise<void> | undefined

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** From here on no end of these calls is missed. */
  async begin(ids: Iterable<string>, signal?: AbortSignal): Promise<Wait> {
    const wait: Wait = { left: new Set(ids), over: [] }
    if (this.#waits.size === 0) this.#cursor = undefined
    this.#waits.add(wait)
    this.#cursor ??= this.#findNow()
    await untilAborted(this.#cursor, signal).catch((error) => {
      this.end(wait)
      throw error
    })
    return wait
  }

  end(wait: Wait): void {
    this.#waits.delete(wait)
  }

  /** Returns after the next request, which is sent `interval` milliseconds after the last one, whoever sends it. */
  async next(interval: number, signal?: AbortSignal): Promise<void> {
    await pause(Math.max(0, this.#readAt + interval - performance.now()), signal)
    if (this.#reading === undefined && this.#readAt + interval > performance.now()) return
    this.#reading ??= this.#read().finally(() => {
      this.#readAt = performance.now()
      this.#reading = undefined
    })
    await untilAborted(this.#reading, signal)
  }

  async #findNow(): Promise<string> {
    const { cursor } = await this.#request({ updated_since: timeToCome, limit: 1 })
    this.#readAt = performance.now()
    return cursor
  }

  async #read(): Promise<void> {
    for (let more = true; more; ) {
      const page = await this.#request({ cursor: await this.#cursor, limit })
      for (const { id, ended_at } of page.data) if (ended_at !== null) this.#over(id)
      this.#cursor = Promise.resolve(page.cursor)
      more = page.more
    }
  }

  #over(id: string): void {
    for (const { left, over } of this.#waits) if (left.delete(id)) over.push(id)
  }

  async #request(query: Record<string, unknown>): Promise<CallUpdates> {
    return (await this.#transport.send('GET', '/calls/updated', { query })) as CallUpdates
  }
}

/** The work goes on: others wait for it, too. */
async function untilAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return await work
  let abort = () => {}
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason)
  })
  signal.addEventListener('abort', abort)
  if (signal.aborted) abort()
  try {
    return await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}
