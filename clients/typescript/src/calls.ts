import type {
  CallDetail,
  CallRecord,
  CallUpdates,
  NewCall,
  PlacedCall,
  TransferredCall,
} from './api-types.ts'
import { CallEnds } from './call-ends.ts'
import { RequestTimeoutError } from './errors.ts'
import type { Metadata } from './events.ts'
import {
  type Filter,
  type Page,
  type PageOptions,
  readAll,
  readPage,
  readUpdates,
  type UpdatesOptions,
} from './pages.ts'
import type { Transport } from './transport.ts'

type With<Record, M> = Omit<Record, 'metadata'> & { metadata: M }
export type Call<M extends Metadata = Metadata> = With<CallRecord, M>
export type PlaceCall<M extends Metadata = Metadata> = Omit<NewCall, 'metadata'> & { metadata?: M }

export type RequestOptions = { signal?: AbortSignal }
export type PlaceOptions = RequestOptions & {
  idempotencyKey?: string
  /** Places the call although an equal one rings. */
  allowDuplicate?: boolean
}
export type WaitOptions = RequestOptions & {
  /** Milliseconds between requests, of which one serves all calls that this client waits for; 2,000 by default. */
  pollInterval?: number
  /** Milliseconds after which it throws a RequestTimeoutError; by default it waits as long as the calls last. */
  timeout?: number
}
const formats = ['wav', 'ogg', 'mp3'] as const
export type RecordingOptions = RequestOptions & {
  /** WAV by default. MP3 needs a program at the service: without it, 406 `FORMAT_UNAVAILABLE`. */
  format?: (typeof formats)[number]
  /** 1 mixes both parties on one channel. */
  channels?: 1 | 2
  /** The caller on channel 1, whatever the direction. */
  first?: 'caller'
  /** A part of the file, as `bytes=0-1023`. */
  range?: string
}

const pathOf = (id: string) => `/calls/${encodeURIComponent(id)}`

export class Calls<M extends Metadata> {
  readonly #transport: Transport
  readonly #ends: CallEnds

  constructor(transport: Transport) {
    this.#transport = transport
    this.#ends = new CallEnds(transport)
  }

  async place(call: PlaceCall<M>, options: PlaceOptions = {}): Promise<PlacedCall> {
    const { idempotencyKey, allowDuplicate, signal } = options
    const headers = allowDuplicate ? { 'X-Allow-Duplicate': 'true' } : undefined
    const sending = { body: call, headers, idempotencyKey, signal }
    return (await this.#transport.send('POST', '/calls', sending)) as PlacedCall
  }

  async get(id: string, { signal }: RequestOptions = {}): Promise<With<CallDetail, M>> {
    return (await this.#transport.send('GET', pathOf(id), { signal })) as With<CallDetail, M>
  }

  /** The call once it is over. */
  async waitForEnd(id: string, options: WaitOptions = {}): Promise<With<CallDetail, M>> {
    for await (const call of this.waitForEnds([id], options)) return call
    throw new TypeError('the id of a call is required')
  }

  /** Each of these calls as it ends. */
  async *waitForEnds(
    ids: Iterable<string>,
    { pollInterval = 2_000, timeout = Number.POSITIVE_INFINITY, signal }: WaitOptions = {},
  ): AsyncGenerator<With<CallDetail, M>> {
    const end = performance.now() + timeout
    const given = signal ? { signal } : {}
    const wait = await this.#ends.begin(ids, signal)
    try {
      for (const id of [...wait.left]) {
        const call = await this.get(id, given)
        if (call.ended_at !== null && wait.left.delete(id)) yield call
      }
      for (;;) {
        for (const id of wait.over.splice(0)) yield await this.get(id, given)
        if (wait.over.length > 0) continue
        if (wait.left.size === 0) return
        const left = end - performance.now()
        if (left <= 0)
          throw new RequestTimeoutError(`not over after ${timeout} ms: ${[...wait.left].join(', ')}`)
        await this.#ends.next(Math.min(pollInterval, left), signal)
      }
    } finally {
      this.#ends.end(wait)
    }
  }

  /** Every call that matches, page after page, newest first. */
  list(filter?: Filter, { signal }: RequestOptions = {}): AsyncGenerator<Call<M>> {
    return readAll(this.#transport, '/calls', filter, signal)
  }

  async page(options?: PageOptions): Promise<Page<Call<M>>> {
    return await readPage(this.#transport, '/calls', options)
  }

  /** Pages of calls that are new or were changed, to keep a copy up to date. */
  updates(options?: UpdatesOptions): AsyncGenerator<Omit<CallUpdates, 'data'> & { data: Call<M>[] }> {
    return readUpdates(this.#transport, '/calls/updated', options)
  }

  async hangup(id: string, { signal }: RequestOptions = {}): Promise<PlacedCall> {
    return (await this.#transport.send('POST', `${pathOf(id)}/hangup`, { signal })) as PlacedCall
  }

  async sendKeys(
    id: string,
    digits: string,
    to: 'destination' | 'extension' = 'destination',
  ): Promise<PlacedCall> {
    return (await this.#transport.send('POST', `${pathOf(id)}/dtmf`, { body: { digits, to } })) as PlacedCall
  }

  /** Connects the far side to an extension or a number. */
  async transfer(id: string, to: string): Promise<TransferredCall> {
    return (await this.#transport.send('POST', `${pathOf(id)}/transfer`, { body: { to } })) as TransferredCall
  }

  /** The sound as it arrives: `body` is a stream; the time-out ends with the headers. */
  async recording(id: string, options: RecordingOptions = {}): Promise<Response> {
    const { format, channels, first, range, signal } = options
    if (format !== undefined && !formats.includes(format))
      throw new TypeError(`format is wav, ogg or mp3, not ${format}`)
    const headers = { Accept: '*/*', ...(range !== undefined && { Range: range }) }
    const sending = { query: { channels, first }, headers, signal }
    const name = format === undefined ? 'recording' : `recording.${format}`
    return await this.#transport.open('GET', `${pathOf(id)}/${name}`, sending)
  }
}
