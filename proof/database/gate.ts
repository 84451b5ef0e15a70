/**
 * D552: between the driver and PostgreSQL: statements are admitted one at a time, in an order that the seed decides by the time each
 * takes on its way. A statement that waits for a lock is parked until another one releases it. Faults of connections are here.
 */
import type { SeededRandom } from '../../bench/parts/crash/seeded-random.ts'
import { idleInTransactionMs, lockTimeoutMs } from '../../src/store/database.ts'
import type { Owner, Scheduler } from '../sim/scheduler.ts'
import { createLateCommits } from './late-commits.ts'
import {
  type Answer,
  asLockTimeout,
  type Batch,
  listenAnswer,
  notificationMessage,
  withoutTimeouts,
} from './messages.ts'
import type { Server } from './server.ts'
import { createSession, type Session } from './session.ts'
import { createSessionClock } from './session-clock.ts'
import { isBlocked, isDoneWithin } from './waiting.ts'

/** After this real time the server is asked whether a statement waits for a lock, again and again; the answer does not depend on it. */
const lockAfterMs = 2
const maxLockAfterMs = 50

/** While the database is slow, for half of all messages: transactions last longer than others need to come in between. */
const maxSlowMs = 900

/** What happens to a statement instead of its being run. */
export type StatementFault =
  | 'cut before'
  | 'cut after'
  | 'kill before'
  | 'kill after'
  | 'pause after'
  | 'long pause after'

/** Without an answer the server closed the connection. */
type Completed = {
  session: Session
  batch: Batch
  answered: Answer | undefined
  fault?: StatementFault | undefined
}

type Deps = {
  scheduler: Scheduler
  random: SeededRandom
  server: Server
  /** The time that the database shows. */
  time: () => Date
  /** Asked for every statement that reaches the server. */
  faultFor(owner: Owner, batch: Batch, isInTransaction: boolean): StatementFault | undefined
  kill(owner: Owner): void
  pause(owner: Owner, isLong: boolean): void
  /** Called with every statement that is run. */
  trace?: ((owner: Owner, batch: Batch) => void) | undefined
}

const reset = () => Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET', syscall: 'read' })
const refused = () =>
  Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED', syscall: 'connect' })
const writes = /^(INSERT|UPDATE|DELETE|MERGE)/

export function createGate({ scheduler, random, server, time, faultFor, kill, pause, trace }: Deps) {
  const sessions = new Set<Session>()
  const arrivesAt = new Map<Session, number>()
  const answersAt = new Map<Session, number>()
  /** Those that wait for a lock. */
  const parked = new Map<Session, { batch: Batch; running: Promise<Answer | undefined> }>()
  /** Processes that reach the server again at this time. */
  const cutOffUntil = new Map<Owner, number>()
  const preambleOf = createSessionClock(time)
  /** Those whose statement was cancelled because it waited for too long. */
  const timedOut = new Set<Session>()
  /** Sessions whose transaction may have sent notifications. */
  const notifying = new Set<Session>()
  const lateCommits = createLateCommits(random, () => scheduler.now() < slowUntil)
  let isUp = true
  let slowUntil = 0
  let statements = 0

  /** Mostly a fraction of a millisecond; now and then long enough for others to pass. */
  function latency(): number {
    const roll = random.next()
    if (scheduler.now() < slowUntil && roll < 0.5) return random.next() * maxSlowMs
    if (roll < 0.9) return random.next()
    return roll < 0.99 ? 1 + random.next() * 20 : 20 + random.next() * 400
  }

  /** Events of one connection stay in order. */
  function inOrder(
    times: Map<Session, number>,
    session: Session,
    run: () => void | Promise<void>,
    owner?: Owner,
  ) {
    const late = times === arrivesAt ? lateCommits.delayOf(session.sent[0]) : 0
    const at = Math.max(times.get(session) ?? 0, scheduler.now() + latency() + late)
    times.set(session, at)
    scheduler.schedule(at - scheduler.now(), run, owner)
  }

  function open(owner: Owner) {
    const session = createSession({
      owner,
      socketPath: server.socketPath,
      onConnect(opened) {
        scheduler.schedule(latency(), async () => {
          if (opened.isClosed || !owner.isAlive || isCutOff(owner)) return
          if (!isUp) return opened.lose(refused())
          sessions.add(opened)
          await opened.open()
          opened.connected()
        })
      },
      onSent(sender) {
        inOrder(arrivesAt, sender, () => arrive(sender))
      },
      onClosed(closed) {
        if (closed.sent.length === 0) scheduler.schedule(0, () => drop([closed]))
      },
    })
    return session.stream
  }

  /** The next batch of a connection reaches the server. */
  async function arrive(session: Session) {
    if (parked.has(session) || lateCommits.isOpen(session)) return
    if (!sessions.has(session) || session.isSilent) return
    const batch = session.sent.shift()
    if (!batch) return
    if (session.sent.length > 0) inOrder(arrivesAt, session, () => arrive(session))
    if (batch.isEnd) {
      await drop([session])
      return session.lose()
    }
    const fault = faultFor(session.owner, batch, session.status === 'T')
    if (fault === 'kill before') {
      // Nor does what it has sent after it arrive: the rest of a transaction would be committed without this statement.
      session.sent = []
      return kill(session.owner)
    }
    if (fault === 'cut before') return await cut([session])
    await execute(session, batch, fault)
  }

  async function execute(session: Session, batch: Batch, fault?: StatementFault) {
    statements += 1
    trace?.(session.owner, batch)
    const [, channel] = /^listen "?([^"]+)"?$/i.exec(batch.text.trim()) ?? []
    if (channel !== undefined) {
      await server.listen(channel)
      session.channels.add(channel)
      return answer(session, listenAnswer)
    }
    const preamble = preambleOf(session, batch)
    const bytes = session.pid === undefined ? withoutTimeouts(batch.bytes) : batch.bytes
    const running = session.run(bytes, fault ? preamble : lateCommits.begin(session, batch, preamble))
    if (await isAnswered(session, running))
      return await settle({ session, batch, answered: await running, fault })
    parked.set(session, { batch, running })
    const { pid } = session
    if (pid !== undefined) server.freeze(pid)
    scheduler.schedule(lockTimeoutMs, async () => {
      if (pid === undefined || parked.get(session)?.running !== running) return
      timedOut.add(session)
      await server.cancel(pid)
      await running
      await settle()
    })
  }

  /**
   * A statement was answered: those that waited for its locks go on, in the server at once. Results are passed on only when each
   * of them is answered or waits again: the order in which they are checked must not matter.
   */
  async function settle(first?: Completed) {
    const completed = first ? [first] : []
    if (!first || mayReleaseLocks(first)) completed.push(...(await takeUnblocked()))
    const haveNotified = completed.filter(isNotified)
    const notifications = haveNotified.length > 0 ? await server.takeNotifications() : []
    for (const notification of notifications) notify(notification)
    for (const one of completed) await finish(one)
    for (const { session } of completed)
      if (session !== first?.session && session.sent.length > 0)
        inOrder(arrivesAt, session, () => arrive(session))
  }

  /** Whether notifications may have been sent by what it has committed. */
  function isNotified({ session, batch, answered }: Completed): boolean {
    if (!answered) return false
    const isWrite = answered.tags.some((tag) => writes.test(tag))
    if (batch.text.includes('pg_notify') || (isWrite && server.mayNotify(batch.text))) notifying.add(session)
    return answered.status === 'I' && notifying.delete(session)
  }

  /** Until all that are parked wait. */
  async function takeUnblocked(): Promise<Completed[]> {
    const answered = new Set<Session>()
    for (let isChanged = parked.size > 0; isChanged; ) {
      isChanged = false
      const blockers = await server.blockersOf([...parked.keys()].flatMap(({ pid }) => pid ?? []))
      for (const [session, { running }] of parked) {
        const { pid } = session
        if (answered.has(session) || pid === undefined || isBlocked(pid, blockers)) continue
        server.thaw(pid)
        if (!(await isAnswered(session, running))) {
          server.freeze(pid)
          continue
        }
        answered.add(session)
        isChanged = true
      }
    }
    const completed: Completed[] = []
    for (const [session, { batch, running }] of parked)
      if (answered.has(session)) completed.push({ session, batch, answered: await running })
    for (const { session } of completed) parked.delete(session)
    return completed
  }

  /** False if it waits for a lock that a parked, or idle, session holds. */
  async function isAnswered(session: Session, running: Promise<unknown>): Promise<boolean> {
    for (let ms = lockAfterMs; ; ms = Math.min(2 * ms, maxLockAfterMs)) {
      if (await isDoneWithin(ms, running)) return true
      const { pid } = session
      if (pid === undefined) continue
      const pids = [pid, ...[...parked.keys()].flatMap((one) => one.pid ?? [])]
      const blockers = await server.blockersOf(pids)
      if (isBlocked(pid, blockers)) return false
    }
  }

  async function finish({ session, batch, answered, fault }: Completed) {
    if (!answered) {
      lateCommits.forget(session)
      sessions.delete(session)
      scheduler.schedule(latency(), () => session.lose(reset()), session.owner)
      return
    }
    session.status = answered.status
    session.pid ??= answered.pid
    if (lateCommits.isOpen(session)) return commitLater(session, batch, answered)
    if (answered.status !== 'I') watchIdle(session)
    if (fault === 'kill after') return kill(session.owner)
    if (fault === 'cut after') return await cut([session])
    if (fault === 'pause after' || fault === 'long pause after')
      pause(session.owner, fault === 'long pause after')
    answer(session, timedOut.delete(session) ? asLockTimeout(answered.bytes) : answered.bytes)
  }

  function commitLater(session: Session, batch: Batch, answered: Answer) {
    scheduler.schedule(lateCommits.waitMs(answered), async () => {
      if (!lateCommits.isOpen(session)) return
      await settle({ session, batch, answered: await lateCommits.end(session, answered) })
      if (session.sent.length > 0) inOrder(arrivesAt, session, () => arrive(session))
    })
  }

  function answer(session: Session, bytes: Buffer) {
    const read = () => {
      if (sessions.has(session) && !session.isSilent) session.deliver(bytes)
    }
    // A process that is paused reads nothing.
    inOrder(answersAt, session, read, session.owner)
  }

  function notify(notification: { channel: string; payload: string }) {
    for (const session of sessions)
      if (session.channels.has(notification.channel)) answer(session, notificationMessage(notification))
  }

  /** A transaction in which nothing happens is ended by the server. */
  function watchIdle(session: Session) {
    const before = statements
    scheduler.schedule(idleInTransactionMs, async () => {
      const isIdle = sessions.has(session) && session.status !== 'I' && !parked.has(session)
      // Statements on their way do not arrive if packets are dropped: its locks would be held for ever.
      const isWaiting = session.sent.length === 0 || session.isSilent
      if (isIdle && isWaiting && lastOf.get(session) === before) await cut([session])
    })
    lastOf.set(session, before)
  }
  const lastOf = new WeakMap<Session, number>()

  /** The server forgets the sessions: their transactions are rolled back. */
  async function drop(dropped: Session[]) {
    const known = dropped.filter((session) => sessions.delete(session))
    for (const session of known) {
      parked.delete(session)
      lateCommits.forget(session)
      notifying.delete(session)
    }
    for (const { pid } of known) if (pid !== undefined) server.terminate(pid)
    await Promise.all(known.map((session) => session.gone()))
    if (known.length > 0) await settle()
  }

  /** Both sides lose the connections; the process learns of it a moment later. */
  async function cut(lost: Session[]) {
    await drop(lost)
    for (const session of lost) scheduler.schedule(latency(), () => session.lose(reset()), session.owner)
  }

  const isCutOff = (owner: Owner) => (cutOffUntil.get(owner) ?? 0) > scheduler.now()
  const sessionsOf = (owner: Owner) => [...sessions].filter((session) => session.owner === owner)

  return {
    open,
    statements: () => statements,
    /** A killed process: what it had sent may still be carried out. */
    async close(owner: Owner) {
      for (const session of sessionsOf(owner)) {
        let left = random.below(session.sent.length + 1)
        for (; left > 0 && !parked.has(session) && !lateCommits.isOpen(session); left -= 1) {
          const batch = session.sent.shift()
          if (batch && !batch.isEnd && session.pid !== undefined) await execute(session, batch)
        }
      }
      await drop(sessionsOf(owner))
    },
    /** The server goes down, or comes back. */
    async setUp(up: boolean) {
      isUp = up
      if (!up) await cut([...sessions])
    },
    async setReadOnly(isReadOnly: boolean) {
      await server.setReadOnly(isReadOnly)
      await cut([...sessions])
    },
    slowDown(ms: number) {
      slowUntil = Math.max(slowUntil, scheduler.now() + ms)
    },
    cutAll: (owner: Owner) => cut(sessionsOf(owner)),
    silence,
    /** Its packets are dropped for so long, also those of connections that it opens meanwhile. */
    cutOff(owner: Owner, ms: number) {
      cutOffUntil.set(owner, scheduler.now() + ms)
      silence(owner, 'all')
    },
  }

  /** Packets of these connections are dropped: all, or those that listen for notices. */
  function silence(owner: Owner, only: 'all' | 'notices') {
    for (const session of sessionsOf(owner))
      if (only === 'all' || session.channels.size > 0) session.isSilent = true
  }
}
export type Gate = ReturnType<typeof createGate>

/** Whether others may have waited for it: it was in a transaction, which is over, or keeps fewer locks. */
function mayReleaseLocks({ session, batch, answered }: Completed): boolean {
  const status = answered?.status
  if (status === undefined || /savepoint|unlock/i.test(batch.text)) return true
  return session.status !== 'I' && status !== 'T'
}
