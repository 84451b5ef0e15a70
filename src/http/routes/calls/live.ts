/** What happens in the account as it happens: a stream of server-sent events (D298). */
import { Readable } from 'node:stream'
import { Refusal } from '../../../contract/errors.ts'
import { expensive } from '../../../contract/limits.ts'
import type { Live, LiveChange, Watcher } from '../../../live/live.ts'
import type { RecordingLinks } from '../../../recordings/recording-links.ts'
import type { Caller } from '../../../users/caller.ts'
import type { Callers } from '../../../users/tokens/callers.ts'
import { type AnyEntry, Download, EventStream, entry } from '../../entry.ts'
import type { Credential } from '../../server/credentials.ts'
import { presentDelivery } from '../account/integrations.ts'
import { presentCharge } from '../money/charges.ts'
import { presentBalance } from '../money/credits.ts'
import { writeLiveCall } from './call-list.ts'

/** A client that reads slower than this much is disconnected; it gets a snapshot when it returns. */
const maxBufferedBytes = 512 * 1024
/** How long a client waits before it returns, at most; at random, so that not all return at once. */
const maxRetryMs = 4_000

const headers = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  // Proxies that collect answers would hold events back.
  'X-Accel-Buffering': 'no',
}

const notes =
  'Server-sent events, for `EventSource`. First `snapshot` `{calls, phones, balance}`: the live calls, the registered phones, ' +
  'the credit (null unless you may see it). Then `call` (the call, at each state, with `transferred_from`), `phone` ' +
  '`{extensionId, ramal, registered, registered_at, user_agent}`, `balance` (as `GET /credits/balance`), `delivery` (a delivery with its `integrationId`, to the owner ' +
  'of the integration) and `charge`, the last two of which and `balance` as you may see them elsewhere. An ADMIN sees all calls ' +
  'of the account, a USER their own. A comment comes every 15 seconds. Nothing is replayed: after a break, connect again ' +
  'for a new snapshot.'

const example =
  'event: snapshot\ndata: {"calls":[],"phones":[],"balance":{"balance":9.9,"reserved":0,"available":9.9,"currency":"BRL"}}\n\n' +
  'event: phone\ndata: {"extensionId":1,"ramal":"1000","registered":true,"registered_at":"2026-11-15T12:30:00.000Z","user_agent":"Linphone"}\n\n'

type Deps = { live: Live; recordingLinks: RecordingLinks; callers: Callers }

export function liveRoutes(deps: Deps): AnyEntry[] {
  return (['GET', 'HEAD'] as const).map((method) =>
    entry({
      method,
      path: '/live',
      tag: 'Events',
      about: 'Watch calls, phones, credit, deliveries and charges as they change',
      notes,
      may: 'events.read',
      scope: ['calls:read', 'billing', 'admin'],
      limit: 'other',
      weight: expensive,
      media: 'text/event-stream',
      mediaExample: example,
      async run({ caller, credential, address }) {
        if (method === 'HEAD') return new Download(200, headers)
        return new EventStream(200, headers, openStream(deps, { caller, credential, address }))
      },
    }),
  )
}

type Opened = { caller: Caller; credential: () => Credential | undefined; address: string }

function openStream(
  { live, recordingLinks, callers }: Deps,
  { caller, credential, address }: Opened,
): Readable {
  const body = new Readable({ read() {} })
  const sent = credential()
  const watcher: Watcher = {
    caller,
    send(change) {
      if (body.readableLength > maxBufferedBytes) body.destroy()
      else push(`event: ${change.type}\ndata: ${write(recordingLinks, change)}\n\n`)
    },
    end() {
      push(`retry: ${Math.round(Math.random() * maxRetryMs) + 500}\n\n`)
      push(null)
    },
    beat() {
      push(':\n\n')
      recheck().catch(() => {})
    },
  }
  let isOver = false

  /** Null ends it. */
  function push(text: string | null) {
    if (isOver || body.destroyed) return
    isOver = text === null
    body.push(text)
  }

  /** Undefined also if the account is suspended. */
  async function findCaller({ token, kind }: Credential) {
    try {
      return await callers.find(token, address, kind)
    } catch (error) {
      if (error instanceof Refusal) return undefined
      throw error
    }
  }

  /** A revoked token, a suspended account, or another role, ends the stream; the client returns with what it may do now. */
  async function recheck() {
    const now = sent && (await findCaller(sent))
    if (now?.user.role === caller.user.role) return
    stop()
    watcher.end()
  }

  const stop = live.watch(watcher)
  body.once('close', stop)
  return body
}

function write(links: RecordingLinks, change: LiveChange): string {
  switch (change.type) {
    case 'snapshot': {
      const calls = change.calls.map((call) => writeLiveCall(links, call)).join(',')
      const phones = JSON.stringify(change.phones.map(presentPhone))
      const balance = JSON.stringify(change.balance ? presentBalance(change.balance) : null)
      return `{"calls":[${calls}],"phones":${phones},"balance":${balance}}`
    }
    case 'call':
      return writeLiveCall(links, change.call)
    case 'phone':
      return JSON.stringify(presentPhone(change.phone))
    case 'balance':
      return JSON.stringify(presentBalance(change.balance))
    case 'delivery':
      return JSON.stringify(presentDelivery(change.delivery))
    case 'charge':
      return JSON.stringify(presentCharge(change.charge))
  }
}

type Phone = Extract<LiveChange, { type: 'phone' }>['phone']

function presentPhone({ extensionId, number, registeredAt, userAgent }: Phone) {
  return {
    extensionId,
    ramal: number,
    registered: registeredAt !== null,
    registered_at: registeredAt?.toISOString() ?? null,
    user_agent: userAgent,
  }
}
