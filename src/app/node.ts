/** This process as a node of the fleet: its roles, its lease, its readiness and its draining. Nothing runs yet. */
import { hostname } from 'node:os'
import { version } from '../http/version.ts'
import { uuidv7 } from '../kit/ids.ts'
import { systemTimers } from '../kit/timers.ts'
import { createFleetView } from '../nodes/fleet-view.ts'
import { createNodeLease } from '../nodes/lease.ts'
import { createKeyHolder } from '../store/secrets/key-holder.ts'
import { answerWithinMs, createVoiceCommands } from '../voice/commands.ts'
import { createCallNotices } from '../voice/fleet/call-notices.ts'
import { createRemoteCommands } from '../voice/fleet/remote-commands.ts'
import { createTrunkTests } from '../voice/trunks/trunk-tests.ts'
import type { Opened } from './open.ts'
import { sipAddresses } from './process/addresses.ts'
import { createClockWatch } from './process/clock-watch.ts'
import { createDraining } from './process/draining.ts'
import { createReadiness } from './process/readiness.ts'
import { createApi } from './roles/api.ts'
import { createVoice } from './roles/voice.ts'
import { createWorker } from './roles/worker.ts'
import type { Overrides } from './services/services.ts'

export function createNode(opened: Opened, overrides: Overrides) {
  const { config, services, rateCounters, sessionCookie } = opened
  const { db, callsDb, clock, timers, log, onError, store, notices, addresses } = services.base
  const { vault, keys, storedKeys } = services.base
  const id = uuidv7(clock.now())
  const has = (role: (typeof config.roles)[number]) => config.roles.includes(role)
  const fleet = createFleetView()
  const callNotices = createCallNotices({ db: callsDb, log })
  const clockWatch = createClockWatch({ clock: store.clock, log, fleet })
  const worker = has('worker') ? createWorker(services, clockWatch) : undefined
  const voice = has('voice')
    ? createVoice({
        config,
        services,
        node: id,
        callNotices,
        clockWatch,
        override: overrides.engine,
        fleet,
      })
    : undefined
  const phoneAddresses = () => sipAddresses(voice?.node.engine, addresses.publicUrl())
  const commands = createVoiceCommands({
    local: voice?.node.commands,
    remote: createRemoteCommands({
      db: callsDb,
      timers,
      notices,
      callNotices,
      process: id,
      answerWithinMs,
    }),
    directory: services.extensions.directory,
  })
  const trunkTests = createTrunkTests({
    db,
    timers,
    notices,
    process: id,
    engine: voice?.node.engine,
    publicHost: config.voice.publicHost,
    trunks: services.trunks.stored,
    onError,
  })
  const api = has('api')
    ? createApi({
        config,
        services,
        commands,
        rateCounters,
        sessionCookie,
        phoneAddresses,
        extraRoutes: overrides.routes ?? [],
      })
    : undefined

  const node = { id, roles: config.roles, host: hostname(), version, address: () => voice?.address() }
  const keyHolder = createKeyHolder({ db, vault, keys, storedKeys, notices, process: id })
  const lease = createNodeLease({
    db: store.leaseDb,
    databaseClock: store.clock,
    // Real time, also in tests that advance their timers: renewals happen in real time too.
    timers: systemTimers,
    node,
    voice: voice && {
      engine: voice.node.engine,
      proofs: voice.node.proofs,
      takesCalls: voice.node.takesCalls,
      setFenced: config.databaseUrl === undefined ? undefined : voice.node.setFenced,
    },
    notices,
    fleet,
    parts: services.status.parts,
  })
  const readiness = createReadiness({
    timers,
    write: lease.touch,
    problems: () => [...store.problems(), ...clockWatch.problems(), ...(voice?.node.problems() ?? [])],
  })
  const draining = createDraining({
    readiness,
    voice: voice?.node,
    timers,
    onError,
    noticeSeconds: config.drainNoticeSeconds,
    drainSeconds: config.drainSeconds,
    hasOtherNodes: () => fleet.otherVoiceNodes() > 0,
    renewLease: lease.renewRow,
  })
  lease.onDrainRequest(draining.onRequest)

  return {
    node,
    api,
    worker,
    voice,
    phoneAddresses,
    commands,
    trunkTests,
    lease,
    keyHolder,
    clockWatch,
    readiness,
    /** Not ready at once; still serves while a balancer notices it; then refuses new calls and waits for the live ones. */
    async drain() {
      lease.drain()
      await draining.beforeStop()
      services.live.stop()
      await voice?.node.callsEnded(config.drainSeconds)
    },
    refuseWork() {
      readiness.setDraining(true)
      services.live.stop()
      voice?.node.refuseNewCalls(true)
    },
  }
}
export type Node = ReturnType<typeof createNode>
