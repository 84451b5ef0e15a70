/** Faults, chosen by the seed: which, when, of which process, and at which of its statements. */
import type { SeededRandom } from '../../bench/parts/crash/seeded-random.ts'
import { idleInTransactionMs } from '../../src/store/database.ts'
import type { Gate, StatementFault } from '../database/gate.ts'
import type { Batch } from '../database/messages.ts'
import type { Owner, Scheduler } from './scheduler.ts'
import type { ServiceProcess } from './service-process.ts'

const faultKinds = [
  'killed before a statement',
  'killed after a statement',
  'killed between statements',
  'stopped in order',
  'all restarted one after the other',
  'connection lost before a statement',
  'connection lost after a commit',
  'connections silent',
  'cut off from the database',
  'notices lost',
  'database restarted',
  'database read-only',
  'database slow',
  'process paused',
  'paused in a transaction',
  'paused while calls move',
  'clock set',
] as const
export type FaultKind = (typeof faultKinds)[number]

/** More often than the others: they rarely meet the few transactions in which two processes are at the same call or account. */
const frequent: FaultKind[] = [
  'cut off from the database',
  'cut off from the database',
  'paused in a transaction',
  'paused while calls move',
  'paused while calls move',
  'database slow',
  'database slow',
]
const chosenFrom = [...faultKinds, ...frequent]

/** The statements of a process that a fault waits for. */
type Where = 'anywhere' | 'commit' | 'read in a transaction' | 'read of calls'

type Armed = { fault: StatementFault; kind: FaultKind; left: number; where: Where }

/** A process that is paused after a read may go on with outdated rows. */
const isRead = (text: string) =>
  /\bselect\b/i.test(text) && !/\b(insert into|update|delete from)\b (?!skip)/i.test(text)

/** An event of the engine reads its calls before it moves them. */
const isReadOfCalls = (text: string) => isRead(text) && /\bfrom calls where calls\.id = any\b/.test(text)

/** The fault comes with one of the next statements of its kind, so many at the most. */
const within: Record<Where, number> = {
  anywhere: 40,
  commit: 4,
  'read in a transaction': 4,
  'read of calls': 4,
}

/** A process that is away for longer than this keeps others from it. */
const awayMs = 5_000

type Deps = {
  scheduler: Scheduler
  random: SeededRandom
  gate: () => Gate
  processes: Set<ServiceProcess>
  kill(process: ServiceProcess): void
  /** Stops it as an operator does. */
  stop(process: ServiceProcess): void
  /** One after the other, as for an upgrade. False if they are being restarted. */
  restartAll(): boolean
  isRolling(): boolean
  /** Mean time between two faults. */
  everyMs: number
}

export function createFaults(deps: Deps) {
  const { scheduler, random, gate, processes, kill, stop, everyMs } = deps
  const counts = new Map<FaultKind, number>()
  const armed = new Map<Owner, Armed[]>()
  let isOn = false
  /** The database is down, or read-only: one at a time. */
  let isDatabaseBusy = false

  const count = (kind: FaultKind) => counts.set(kind, (counts.get(kind) ?? 0) + 1)
  const seconds = (from: number, to: number) => 1000 * (from + random.next() * (to - from))
  const commitOr = (share: number): Where => (random.next() < share ? 'commit' : 'anywhere')

  function arm(process: ServiceProcess, kind: FaultKind, fault: StatementFault, where: Where) {
    const left = random.below(within[where])
    armed.set(process, [...(armed.get(process) ?? []), { fault, kind, left, where }])
  }

  function faultFor(owner: Owner, { text }: Batch, isInTransaction: boolean): StatementFault | undefined {
    if (!isOn) return undefined
    const waiting = armed.get(owner) ?? []
    for (const one of waiting) {
      const isCommit = /^\s*commit/i.test(text)
      if (one.where === 'commit' && !isCommit) continue
      if (one.where === 'read in a transaction' && !(isInTransaction && isRead(text))) continue
      if (one.where === 'read of calls' && !(isInTransaction && isReadOfCalls(text))) continue
      one.left -= 1
      if (one.left >= 0) continue
      armed.set(
        owner,
        waiting.filter((other) => other !== one),
      )
      count(one.kind)
      return one.fault
    }
    return undefined
  }

  async function strike(kind: FaultKind, process: ServiceProcess) {
    if (kind === 'killed before a statement') return arm(process, kind, 'kill before', commitOr(0.5))
    if (kind === 'killed after a statement') return arm(process, kind, 'kill after', commitOr(0.7))
    if (kind === 'connection lost before a statement') return arm(process, kind, 'cut before', commitOr(0.5))
    if (kind === 'connection lost after a commit') return arm(process, kind, 'cut after', 'commit')
    if (kind === 'paused in a transaction') return arm(process, kind, 'pause after', 'read in a transaction')
    if (kind === 'paused while calls move') return arm(process, kind, 'long pause after', 'read of calls')
    if (kind === 'database restarted' || kind === 'database read-only') return await troubleDatabase(kind)
    if (kind === 'all restarted one after the other' && !deps.restartAll()) return
    count(kind)
    if (kind === 'all restarted one after the other') return
    if (kind === 'killed between statements') return kill(process)
    if (kind === 'stopped in order') return stop(process)
    if (kind === 'connections silent') {
      process.silencedAt = scheduler.now()
      return gate().silence(process, 'all')
    }
    if (kind === 'cut off from the database') {
      // So long that it hangs up its calls, and others end them (D225), or shorter: then they go on.
      const ms = mayBeLong(0.6) ? seconds(57, 80) : seconds(5, 20)
      process.silencedAt = scheduler.now() + ms
      return gate().cutOff(process, ms)
    }
    if (kind === 'notices lost') return gate().silence(process, 'notices')
    if (kind === 'database slow') return gate().slowDown(seconds(2, 10))
    if (kind === 'process paused') {
      // Now and then for so long that others end its calls.
      return pause(process, mayBeLong(0.4) ? seconds(20, 75) : seconds(1, 20))
    }
    const hour = 3_600_000
    process.slot.clockOffsetMs = random.next() < 0.3 ? 0 : Math.round((random.next() - 0.5) * 2 * hour)
  }

  /** One process at a time is away for long: where all are, nothing happens that a check could judge. */
  function mayBeLong(share: number): boolean {
    return random.next() < share && ![...processes].some(isAway)
  }

  const isAway = (process: ServiceProcess) =>
    Math.max(process.pausedUntil, process.silencedAt) > scheduler.now() + awayMs

  /** Mostly not one that is away: few would come back after others have ended their calls. */
  function pickProcess(): ServiceProcess | undefined {
    const serving = [...processes].filter(({ isAlive, isUp }) => isAlive && isUp)
    return random.pick(random.next() < 0.8 ? serving.filter((one) => !isAway(one)) : serving)
  }

  function pause(process: ServiceProcess, ms: number) {
    const now = scheduler.now()
    if (process.pausedUntil <= now) process.pausedAt = now
    process.pausedUntil = Math.max(process.pausedUntil, now + ms)
  }

  async function troubleDatabase(kind: 'database restarted' | 'database read-only') {
    if (isDatabaseBusy) return
    isDatabaseBusy = true
    count(kind)
    const isRestart = kind === 'database restarted'
    await (isRestart ? gate().setUp(false) : gate().setReadOnly(true))
    scheduler.schedule(seconds(0.5, isRestart ? 6 : 9), async () => {
      await (isRestart ? gate().setUp(true) : gate().setReadOnly(false))
      isDatabaseBusy = false
    })
  }

  function plan() {
    scheduler.schedule(-Math.log(1 - random.next()) * everyMs, async () => {
      if (!isOn) return
      const process = pickProcess()
      const kind = random.pick(chosenFrom)
      if (process && kind) await strike(kind, process)
      plan()
    })
  }

  return {
    faultFor,
    pause,
    /** Often for nearly as long as the server lets a transaction stand still, or until it has ended it. */
    pauseInTransaction(process: ServiceProcess, isLong: boolean) {
      const most = idleInTransactionMs / 1000
      if (isLong) return pause(process, seconds(most - 1, most - 0.05))
      pause(process, random.next() < 0.6 ? seconds(0.5, most - 0.05) : seconds(most, 4 * most))
    },
    isOn: () => isOn,
    /** Faults that began before the end last a while longer. */
    isOver: () =>
      !isOn &&
      !isDatabaseBusy &&
      !deps.isRolling() &&
      [...processes].every((one) => Math.max(one.pausedUntil, one.silencedAt) <= scheduler.now()),
    counts: () => Object.fromEntries(faultKinds.map((kind) => [kind, counts.get(kind) ?? 0])),
    begin() {
      isOn = true
      plan()
    },
    end() {
      isOn = false
      armed.clear()
    },
  }
}
