/**
 * Notices between the processes of a fleet about calls: to the node that carries a call, and back to the process that
 * waits for it. They are hints: what was requested is in the database. Sent after the commit, never in a transaction,
 * which would take a global lock at its commit; one statement at a time, with all that was added meanwhile.
 */
import type { CallEvent } from '../../engine/port.ts'
import type { Log } from '../../kit/log.ts'
import type { Database } from '../../store/database.ts'
import { type Notice, notifyAll } from '../../store/notices.ts'

/** Calls wait to be claimed by the node, or one of its calls is to be hung up for the process `origin`. */
export type NodeNotice = { kind: 'claim' } | { kind: 'hangup'; callId: string; origin: string }

/** An event of the call was stored. */
export type CallMove = Pick<CallEvent, 'callId' | 'type'>

export const nodeChannel = (node: string) => `voice_node:${node}`
export const moveChannel = (process: string) => `call_moves:${process}`

/** PostgreSQL takes notices below 8000 bytes; an item has about 80. */
const maxItems = 80

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
  const notices: Notice[] = []
  for (let first = 0; first < items.length; first += maxItems) {
    notices.push({ channel, payload: items.slice(first, first + maxItems).join(',') })
  }
  return notices
}

function writeNodeNotice(notice: NodeNotice): string {
  return notice.kind === 'claim' ? 'claim' : `hangup:${notice.callId}:${notice.origin}`
}

export function readNodeNotices(payload: string): NodeNotice[] {
  return payload.split(',').flatMap((item): NodeNotice[] => {
    const [kind, callId = '', origin = ''] = item.split(':')
    if (kind === 'claim') return [{ kind }]
    return kind === 'hangup' ? [{ kind, callId, origin }] : []
  })
}

export function readMoves(payload: string): CallMove[] {
  return payload.split(',').map((item) => {
    const [callId = '', type] = item.split(':')
    return { callId, type: type as CallMove['type'] }
  })
}
