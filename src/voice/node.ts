/** The calls room put together around an engine: what it asks is answered, what it tells is stored. */
import type { Credit } from '../billing/credit/credit.ts'
import type { CallEvent, EngineHost, Recording, TimeLimits, VoiceEngine } from '../engine/port.ts'
import { createExtensionProfiles } from '../extensions/profiles.ts'
import type { Clock } from '../kit/clock.ts'
import type { Log } from '../kit/log.ts'
import { type Loop, startLoop } from '../kit/loop.ts'
import type { Timers } from '../kit/timers.ts'
import type { Database } from '../store/database.ts'
import type { Notices } from '../store/notices.ts'
import { createCallAdmission } from './admission.ts'
import type { CallAnnouncer } from './announcer.ts'
import { hangupChannel } from './calls-store.ts'
import { createEventQueue } from './event-queue.ts'
import { createEventWaiter } from './event-waiter.ts'
import { createArrivals } from './inbound.ts'
import { createLease, renewSeconds } from './lease.ts'
import { createOrphanSweep, lookSeconds } from './orphans.ts'
import { createPrepaid, extendEverySeconds } from './prepaid.ts'

/** How long a stop waits for a database that is away. */
const storeWithinMs = 10_000
/** How often a stop looks whether the last call is over. */
const lookMs = 100

type Deps = {
  db: Database
  clock: Clock
  timers: Timers
  log: Log
  notices: Notices
  /** What this process is called among those that carry calls; never used again. */
  node: string
  limits: TimeLimits
  announcer: CallAnnouncer
  credit: Credit
  engine: (house: EngineHost) => VoiceEngine
  /** Once the end of a recorded call is stored. */
  onRecorded: (callId: string, recording: Recording) => void
} & Pick<EngineHost, 'credentials' | 'registrations' | 'onRegistration'>

export function createVoice({
  db,
  clock,
  timers,
  log,
  notices,
  node,
  limits,
  announcer,
  credit,
  ...given
}: Deps) {
  let closed = false
  let loops: Loop[] = []

  const waiter = createEventWaiter(timers)
  const events = createEventQueue({ db, timers, log, announcer, credit, onStored })
  const prepaid = createPrepaid({ clock, timers, credit, hangUp: (id, cause) => engine.hangUp(id, cause) })
  const profiles = createExtensionProfiles({ db, clock })
  const engine = given.engine({
    credentials: given.credentials,
    registrations: given.registrations,
    onRegistration: given.onRegistration,
    onCall: hear,
    arrival: (arrival) => arrivals.arrive(arrival),
  })
  const admission = createCallAdmission({ db, announcer, credit, prepaid })
  const shared = { db, clock, profiles, engine, admission, node, limits, isClosed: () => closed }
  const arrivals = createArrivals(shared)
  const lease = createLease({ db, clock, engine, node })
  const orphans = createOrphanSweep({ db, clock, log, announcer, credit })

  notices.listen(hangupChannel, (callId) => engine.hangUp(callId))

  /** What is paid is known at once, whatever becomes of the admission. */
  function hear(event: CallEvent) {
    prepaid.hear(event)
    events.add(event)
  }

  function onStored(event: CallEvent) {
    waiter.publish(event)
    if (event.type === 'ended' && event.recording) given.onRecorded(event.callId, event.recording)
  }

  async function start(onError: (error: unknown, job: string) => void) {
    await lease.tick()
    await engine.start()
    loops = [
      startLoop({ name: 'lease', everyMs: renewSeconds * 1000, tick: lease.tick, onError }),
      startLoop({ name: 'orphaned calls', everyMs: lookSeconds * 1000, tick: orphans.tick, onError }),
      startLoop({ name: 'reservations', everyMs: extendEverySeconds * 1000, tick: prepaid.tick, onError }),
    ]
  }

  /** No longer says that this node lives. */
  async function halt() {
    await Promise.all(loops.map((loop) => loop.stop()))
  }

  /** Takes no new call and lets those that live come to their end, so long at most. */
  async function finish(seconds: number) {
    closed = true
    const until = timers.now() + seconds * 1000
    while (engine.liveCalls().length > 0 && timers.now() < until) {
      await new Promise<void>((resolve) => timers.after(lookMs, resolve))
    }
  }

  /** Ends what lives, and stores that it ended. */
  async function stop() {
    closed = true
    await engine.stop()
    await events.drained(storeWithinMs)
    await halt()
    await lease.release().catch(() => {})
  }

  return {
    engine,
    profiles,
    admission,
    waiter,
    isClosed: shared.isClosed,
    hear,
    events,
    lease,
    orphans,
    prepaid,
    node,
    start,
    halt,
    finish,
    stop,
    /** No new call from now on. */
    close() {
      closed = true
    },
  }
}
