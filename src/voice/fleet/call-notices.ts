/**
 * Notices between the processes of a fleet about calls: to the node that carries a call, and back to the process that
 * waits for it. They are hints: what was requested is in the database. Sent after the commit, never in a transaction,
 * which would take a global lock at its commit; one statement at a time, with all that was added meanwhile.
 */
import type { CallEvent, KeyPress } from '../../engine/port.ts'
import type { Log } from '../../kit/process/log.ts'
import type { Database } from '../../store/database.ts'
import { type Notice, notifyAll } from '../../store/notices/notices.ts'

/** Requests of the process `origin` for a call of the node; `request` is the id that the answer names. */
type Asked =
  | { kind: 'hangup'; callId: string; origin: string }
  | {
      kind: 'keys'
      callId: string
      origin: string
      to: KeyPress['to']
      keys: string
      request: string
    }

/** Calls wait to be claimed by the node, or something is to be done in one of its calls. */
export type NodeNotice = { kind: 'claim' } | Asked

/** An event of the call was stored, its node has taken it (D282), or what was asked for was done or not. */
export type CallMove = { callId: string; type: CallEvent['type'] | 'taken' | 'pressed' | 'no call' }

export const nodeChannel = (node: string) => `voice_node:${node}`
export const moveChannel = (process: string) => `call_moves:${process}`

/** PostgreSQL takes notices below 8000 bytes. */
const maxBytes = 7_900

export function createCallNotices({ db, log }: { db: Database; log: Log }) {
  const waiting = new Map<string, Set<string>>()
  let isPublishing = false

  function publish(channel: string, item: string) {
    waiting.set(channel, (waiting.get(channel) ?? new Set()).add(item))
    if (!isPublishing) void publishAll()
  }

  async function publishAll() {
    isPublishing = true
    // Items of the same turn of the event loop share a statement.
    await new Promise(setImmediate)
    while (waiting.size > 0) {
      const notices = [...waiting].flatMap(([channel, items]) => noticesOf(channel, [...items]))
      waiting.clear()
      await notifyAll(db, notices).catch((error: unknown) => {
        log.debug({ err: error }, 'a notice of calls was lost')
      })
    }
    isPublishing = false
  }

  return {
    toNode: (node: string, notice: NodeNotice) => publish(nodeChannel(node), writeNodeNotice(notice)),
    toOrigin: (process: string, { callId, type }: CallMove) =>
      publish(moveChannel(process), `${callId}:${type}`),
  }
}
export type CallNotices = ReturnType<typeof createCallNotices>

function noticesOf(channel: string, items: string[]): Notice[] {
  const payloads: string[] = []
  for (const item of items) {
    const last = payloads.at(-1)
    if (last === undefined || last.length + item.length >= maxBytes) payloads.push(item)
    else payloads[payloads.length - 1] = `${last},${item}`
  }
  return payloads.map((payload) => ({ channel, payload }))
}

function writeNodeNotice(notice: NodeNotice): string {
  if (notice.kind === 'claim') return 'claim'
  const { kind, callId, origin } = notice
  if (kind === 'hangup') return [kind, callId, origin].join(':')
  return [kind, callId, origin, notice.to, notice.keys, notice.request].join(':')
}

export function readNodeNotices(payload: string): NodeNotice[] {
  return payload.split(',').flatMap((item): NodeNotice[] => {
    const [kind, callId = '', origin = '', to, keys = '', request = ''] = item.split(':')
    if (kind === 'claim') return [{ kind }]
    if (kind === 'hangup') return [{ kind, callId, origin }]
    const isKeys = kind === 'keys' && (to === 'extension' || to === 'other')
    return isKeys ? [{ kind, callId, origin, to, keys, request }] : []
  })
}

export function readMoves(payload: string): CallMove[] {
  return payload.split(',').map((item) => {
    const [callId = '', type] = item.split(':')
    return { callId, type: type as CallMove['type'] }
  })
}
