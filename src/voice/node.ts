/** A voice node: an engine with what it needs. Its questions are answered, its events stored, commands carried out. */
import type { Credit } from '../billing/credit/credit.ts'
import type { CallAdmission } from '../calls/admission/admission.ts'
import type { CallAnnouncer } from '../calls/announcer.ts'
import { createCallTimes } from '../calls/call-times.ts'
import { createKeyHistory } from '../calls/key-history.ts'
import type { Proof } from '../calls/orphans-store.ts'
import type {
  CallEvent,
  EngineHost,
  ExtensionName,
  NodeAddress,
  Recording,
  TimeLimits,
  VoiceEngine,
} from '../engine/port.ts'
import type { PhoneDirectory } from '../extensions/phones/phone-directory.ts'
import type { ExtensionProfiles } from '../extensions/profiles.ts'
import type { SteadyClock } from '../kit/clock.ts'
import type { Maybe } from '../kit/maybe.ts'
import type { Log } from '../kit/process/log.ts'
import type { Timers } from '../kit/timers.ts'
import { type CeilingSettings, createCallCeilings } from '../limits/ceilings.ts'
import type { CallsAtOnce } from '../limits/limit.ts'
import type { Database } from '../store/database.ts'
import type { Notices } from '../store/notices/notices.ts'
import { createCallsHere } from './calls-here.ts'
import { answerWithinMs } from './commands.ts'
import { createCreditControl } from './credit-control.ts'
import { createEventQueue } from './event-queue.ts'
import { createEventWaiter } from './event-waiter.ts'
import type { CallNotices } from './fleet/call-notices.ts'
import { createClaims } from './fleet/claims.ts'
import { createInboundCalls } from './inbound.ts'
import { createLocalCommands } from './local-commands.ts'

/** How long a stop waits for a database that is away. */
const storeWithinMs = 10_000
/** How often a drain checks whether the last call is over. */
const drainPollMs = 100

type Deps = {
  db: Database
  /** For what happens to calls (D565). */
  eventsDb: Database
  clock: SteadyClock
  timers: Timers
  log: Log
  notices: Notices
  callNotices: CallNotices
  node: string
  limits: TimeLimits
  /** D272: numbers of services and of emergency that trunks take. */
  services: ReadonlySet<string>
  ceilings: CeilingSettings
  atOnceOf: (accountId: number) => Maybe<CallsAtOnce>
  /** D281: whether the keys that are pressed in calls are stored. */
  showsKeys: boolean
  profiles: ExtensionProfiles
  directory: PhoneDirectory
  announcer: CallAnnouncer
  admission: CallAdmission
  credit: Credit
  createEngine: (host: EngineHost) => VoiceEngine
  host: Pick<
    EngineHost,
    | 'credentials'
    | 'extensions'
    | 'registrations'
    | 'onRegistration'
    | 'onKnownAddresses'
    | 'hasOtherNodes'
    | 'onTrace'
  >
  /** An account has as many calls at once as it may have. */
  onCeiling?: ((accountId: number, max: number) => void) | undefined
  /** Called once the end of a recorded call is stored. */
  onRecorded: (callId: string, recording: Recording) => void
}

export function createVoiceNode(deps: Deps) {
  const { db, clock, timers, log, notices, callNotices, node, limits, profiles } = deps
  const { announcer, admission, credit, host, onRecorded } = deps
  let draining = false
  let closing = false
  let fenced = false
  const isDraining = () => draining || fenced

  const times = createCallTimes(clock)
  const hideKeys = createKeyHistory({ showsKeys: deps.showsKeys })
  const callsHere = createCallsHere()
  const waiter = createEventWaiter(timers)
  const events = createEventQueue({ db: deps.eventsDb, timers, log, announcer, credit, onStored })
  const creditControl = createCreditControl({
    timers,
    credit,
    hangUp: (callId, cause) => engine.hangUp(callId, cause),
  })
  const engine = deps.createEngine({
    credentials: host.credentials,
    hasOtherNodes: host.hasOtherNodes ?? (() => false),
    extensions: host.extensions,
    registrations: host.registrations,
    onRegistration: host.onRegistration,
    ...(host.onKnownAddresses && { onKnownAddresses: host.onKnownAddresses }),
    onTrace: host.onTrace,
    findNode,
    onCall,
    admitCall: (call) => inbound.accept(call),
  })
  const ceilings = createCallCeilings({
    settings: deps.ceilings,
    atOnceOf: deps.atOnceOf,
    timers,
    liveCalls: engine.liveCalls,
    endCall(callId) {
      engine.hangUp(callId)
      ceilings.release(callId)
    },
    onReached: deps.onCeiling,
  })
  const inbound = createInboundCalls({
    clock,
    profiles,
    engine,
    findNode,
    admission,
    creditControl,
    ceilings,
    callsHere,
    node,
    limits,
    services: deps.services,
    isDraining,
    isFenced: () => fenced,
    onCall,
  })
  const commands = createLocalCommands({
    clock,
    log,
    node,
    engine,
    limits,
    creditControl,
    ceilings,
    callsHere,
    waiter,
    onCall,
    isDraining,
    answerWithinMs,
  })

  const claims = createClaims({
    db,
    log,
    notices,
    callNotices,
    node,
    hasPhone: commands.hasPhone,
    findNode,
    placeClaimed: commands.placeClaimed,
    hangUp: (callId) => engine.hangUp(callId),
    pressKeys: engine.pressKeys,
  })

  /** D241: the other node that can ring the phone of an extension. */
  async function findNode(extension: ExtensionName): Promise<NodeAddress | undefined> {
    const found = await deps.directory.find(extension)
    if (!found || found.id === node || !found.takesCalls || found.address === null) return undefined
    return { id: found.id, address: found.address }
  }

  function onCall(event: CallEvent) {
    times.onEvent(event)
    // Credit timers react immediately, even if storing is delayed.
    creditControl.onEvent(event)
    callsHere.onEvent(event)
    if (event.type === 'ended') ceilings.release(event.callId)
    events.add(hideKeys(event))
    // D6: a request that waits for its phone to ring need not wait for the database too.
    if (event.type !== 'ended' && !events.isBehind()) waiter.publish(event)
  }

  function onStored(event: CallEvent) {
    waiter.publish(event)
    claims.onStored(event)
    if (event.type === 'ended' && event.recording) onRecorded(event.callId, event.recording)
  }

  /**
   * D225: hangs up every call, and takes none while it is fenced: other processes may end the calls of a node that
   * could not renew its lease.
   */
  function setFenced(isFenced: boolean) {
    if (isFenced && !fenced) {
      log.error(
        { calls: engine.liveCalls().length },
        'this node could not renew its lease: it hangs up its calls',
      )
      for (const callId of engine.liveCalls()) engine.hangUp(callId, 'RECOVERY_ON_TIMER_EXPIRE')
    }
    fenced = isFenced
  }

  function refuseNewCalls(isRefusing: boolean) {
    draining = isRefusing
  }

  /** D502: waits for the phones to go to other nodes; those that cannot are not waited for. */
  async function phonesMoved(seconds: number) {
    await until(() => (engine.phonesToMove?.() ?? 0) === 0, seconds)
  }

  async function until(isOver: () => boolean, seconds: number) {
    const deadline = timers.now() + seconds * 1000
    while (!isOver() && timers.now() < deadline) {
      await new Promise<void>((resolve) => timers.after(drainPollMs, resolve))
    }
  }

  /** Waits for the live calls to end, for `seconds` at the most. */
  async function callsEnded(seconds: number) {
    await until(() => engine.liveCalls().length + (engine.relayedCalls?.() ?? 0) === 0, seconds)
  }

  /** Ends the live calls and stores their ends. */
  async function stop() {
    refuseNewCalls(true)
    await engine.stop()
    await events.drained(storeWithinMs)
  }

  /** What keeps this node from working, for the operator. */
  function problems(): string[] {
    const waiting = events.isRetrying() ? [`events of ${events.waiting()} calls wait for the database`] : []
    const cutOff = fenced ? ['the lease of this node could not be renewed'] : []
    return [...engine.problems(), ...waiting, ...cutOff]
  }

  /** That calls are not lost: the live ones, and those that ended while the database could not store it (D116). */
  function proofs(): Proof[] {
    const live = engine.liveCalls().map((id) => ({ id, at: times.now(id) }))
    return [...live, ...events.unstoredEnds()]
  }

  return {
    engine,
    commands,
    events,
    creditControl,
    proofs,
    claims,
    setFenced,
    start: engine.start,
    problems,
    metrics: () => ({ ...engine.metrics(), calls_with_waiting_events: events.waiting() }),
    /** Phones and carriers are sent elsewhere. */
    setDraining: engine.setDraining,
    refuseNewCalls,
    /** D502: other processes see it with the next renewal; calls that they placed before are still taken. */
    announceClosing() {
      closing = true
    },
    takesCalls: () => !closing && !draining,
    phonesMoved,
    callsEnded,
    stop,
  }
}
export type VoiceNode = ReturnType<typeof createVoiceNode>
