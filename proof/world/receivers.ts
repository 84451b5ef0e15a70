/** Receivers of webhooks of all kinds: good, slow, failing, silent, talkative. They keep what they get. */
import { createHash } from 'node:crypto'
import type { Receivers } from '../../src/webhooks/webhooks.ts'
import { isSigned } from '../../test/helpers/programs/receiver.ts'
import { inside } from '../sim/globals.ts'
import type { Owner } from '../sim/scheduler.ts'
import type { World } from './world.ts'

export const receiverKinds = ['good', 'slow', 'flapping', 'busy', 'silent', 'resetting', 'talkative'] as const
export type ReceiverKind = (typeof receiverKinds)[number]

/** How it answers one request; without a status never. */
type Behaviour = {
  afterMs: number
  status?: number
  headers?: Record<string, string>
  bytes?: number
  isReset?: boolean
}

export type Hook = { integration: string; secret: string; kind: ReceiverKind }

/** As the sender calls undici. */
type Dispatched = { path: string; headers: Record<string, string>; body: string }
type Handler = {
  onResponseStart(controller: unknown, status: number, headers: Record<string, string>): void
  onResponseData(controller: unknown, chunk: Buffer): void
  onResponseEnd(): void
  onResponseError(controller: unknown, error: Error): void
}

export function createReceivers({ scheduler, random, history, hasFaults }: World) {
  /** By the path of its URL. */
  const hooks = new Map<string, Hook>()

  function behave(kind: ReceiverKind): Behaviour {
    const quick = random.next() * 80
    if (kind === 'good' || !hasFaults() || random.next() < 0.5) return { afterMs: quick, status: 200 }
    if (kind === 'slow') return { afterMs: 2_000 + random.next() * 14_000, status: 204 }
    if (kind === 'busy') return { afterMs: quick, status: 429, headers: { 'retry-after': '2' } }
    if (kind === 'silent') return { afterMs: quick }
    if (kind === 'resetting') return { afterMs: quick, isReset: true }
    if (kind === 'talkative') return { afterMs: quick, status: 200, bytes: 9_000 }
    return { afterMs: quick, status: random.next() < 0.5 ? 500 : 302 }
  }

  function receive({ path, headers, body: text }: Dispatched, handler: Handler, owner: Owner) {
    const hook = hooks.get(path)
    if (!hook) throw new Error(`no receiver at ${path}`)
    const body = JSON.parse(text)
    const received = { path, headers, text, body }
    const { afterMs, status = 0, headers: answered = {}, bytes = 2, isReset } = behave(hook.kind)
    history.push({
      kind: 'webhook',
      at: scheduler.now(),
      integration: hook.integration,
      message: headers['webhook-id'] ?? '',
      type: body.eventType,
      subject: body.id,
      sequence: body.sequence,
      body: createHash('sha1').update(text).digest('base64').slice(0, 12),
      isSigned: isSigned(received, hook.secret),
      status,
    })
    const later = (run: () => void) => scheduler.schedule(afterMs, () => inside(owner, run), owner)
    if (isReset) {
      later(() => handler.onResponseError(undefined, new Error('other side closed')))
      return
    }
    if (status === 0) return
    later(() => {
      handler.onResponseStart(undefined, status, answered)
      for (let left = bytes; left > 0; left -= 3_000)
        handler.onResponseData(undefined, Buffer.alloc(Math.min(left, 3_000), 'x'))
      handler.onResponseEnd()
    })
  }

  return {
    add: (path: string, hook: Hook) => hooks.set(path, hook),
    /** The network as the sender of a process sees it. */
    of(owner: Owner): Receivers {
      const connection = {
        client: {
          // The request leaves in a later turn, as over a socket.
          dispatch: (sent: Dispatched, handler: Handler) =>
            scheduler.schedule(random.next() * 5, () => receive(sent, handler, owner), owner),
        },
      }
      return {
        take: () => connection,
        giveBack() {},
        drop() {},
        close: async () => {},
      } as unknown as Receivers
    },
  }
}
