/**
 * Hints of what has changed, for those who watch an account live (D298): collected for a moment and sent to every process
 * after the commit, as a transaction that notifies would make others wait at its commit. A hint says what to read again;
 * a lost one is made good by the next change, or by the snapshot of a new stream.
 */
import { randomUUID } from 'node:crypto'
import type { Log } from '../../kit/process/log.ts'
import type { Database } from '../database.ts'
import { type Notices, notify } from './notices.ts'

const channel = 'live_changes'
const collectMs = 100
/** PostgreSQL takes messages below 8000 bytes. */
const maxLength = 7_500
/** More at once are not sent: watchers are to read everything again. */
const maxMessages = 20

/** A delivery is `integration/event`, a phone `number@domain`, a balance the id of its account. */
export type HintKind = 'call' | 'phone' | 'delivery' | 'charge' | 'balance'
export type Hint = `${HintKind} ${string}`

type Deps = { db: Database; notices: Pick<Notices, 'listen' | 'onGap'>; log: Log }

export function createLiveHints({ db, notices, log }: Deps) {
  const self = randomUUID()
  const collected = new Set<Hint>()
  const listeners: ((hints: Hint[] | 'all') => void)[] = []
  let timer: NodeJS.Timeout | undefined

  const publish = (hints: Hint[] | 'all') => {
    for (const listener of listeners) listener(hints)
  }
  notices.onGap(() => publish('all'))
  notices.listen(channel, (payload) => {
    const [from, ...hints] = payload.split('\n') as [string, ...Hint[]]
    if (from !== self) publish(hints.length === 0 ? 'all' : hints)
  })

  /** After the commit. */
  function add(kind: HintKind, ids: Iterable<string | number>) {
    for (const id of ids) collected.add(`${kind} ${id}`)
    if (collected.size > 0) timer ??= setTimeout(() => void flush(), collectMs)
  }

  /** In the transaction that changes it, where such changes are rare: delivered to every process by its commit. */
  async function announce(tx: Database, hints: Hint[]) {
    await notify(tx, channel, ['', ...hints].join('\n'))
  }

  async function flush() {
    clearTimeout(timer)
    timer = undefined
    const hints = [...collected]
    collected.clear()
    if (hints.length === 0) return
    publish(hints)
    try {
      for (const message of messagesOf(self, hints)) await notify(db, channel, message)
    } catch (error) {
      log.debug({ err: error }, 'a hint of live changes was lost')
    }
  }

  return {
    add,
    announce,
    /** Sends what was collected. */
    flush,
    onHints(listener: (hints: Hint[] | 'all') => void) {
      listeners.push(listener)
    },
  }
}
export type LiveHints = ReturnType<typeof createLiveHints>

/** An empty message means too many changes: everything is read again. */
function messagesOf(self: string, hints: Hint[]): string[] {
  const messages: string[] = []
  let message = self
  for (const hint of hints) {
    if (message.length + hint.length >= maxLength) {
      messages.push(message)
      message = self
    }
    message += `\n${hint}`
  }
  messages.push(message)
  return messages.length > maxMessages ? [self] : messages
}
