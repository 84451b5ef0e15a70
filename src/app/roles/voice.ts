/** The voice role: an engine with its node, the registrations of its phones and its recordings. */
import type { Config } from '../../config.ts'
import type { EngineHost, ExtensionName, VoiceEngine } from '../../engine/port.ts'
import { createRegistrations } from '../../extensions/phones/registrations.ts'
import type { FleetView } from '../../nodes/fleet-view.ts'
import { extendEverySeconds } from '../../voice/credit-control.ts'
import type { CallNotices } from '../../voice/fleet/call-notices.ts'
import { createVoiceNode } from '../../voice/node.ts'
import { createTraceWriter, writeTracesMs } from '../../voice/sip-traces/trace-writer.ts'
import { createTrunkShares, shareSeconds } from '../../voice/trunks/trunk-shares.ts'
import type { ClockWatch } from '../process/clock-watch.ts'
import type { Job } from '../process/jobs.ts'
import { chooseEngine } from '../services/adapters.ts'
import type { Services } from '../services/services.ts'

type Deps = {
  config: Config
  services: Services
  node: string
  callNotices: CallNotices
  clockWatch: ClockWatch
  override: ((host: EngineHost) => VoiceEngine) | undefined
  fleet: Pick<FleetView, 'otherVoiceNodes'>
}

export function createVoice(deps: Deps) {
  const { config, services, node, callNotices, clockWatch, override, fleet } = deps
  const { base, money, users, extensions, calls, limits } = services
  const { callsDb: db, eventsDb, clock, timers, log, vault, notices, onError } = base
  const { reactions } = money
  const fixedAddress = fixedAddressOf(config)
  const registrations = createRegistrations({
    db,
    clock,
    node,
    address: fixedAddress,
    phones: extensions.phones,
    find: (extension) => voice.engine.registration(extension),
    forget: (extension) => voice.engine.forget(extension),
    onError,
    onChanged: reactions.onPhones,
  })
  const traceWriter = config.sipTraceDays > 0 ? createTraceWriter({ db: base.db, clock, node }) : undefined
  const voice = createVoiceNode({
    db,
    eventsDb,
    clock,
    timers,
    log,
    notices,
    callNotices,
    node,
    limits: config.callLimits,
    services: services.trunks.stored.serviceNumbers,
    ceilings: config.callCeilings,
    atOnceOf: limits.limits.atOnceOf,
    showsKeys: config.showsKeys,
    profiles: extensions.profiles,
    directory: extensions.directory,
    announcer: calls.announcer,
    admission: calls.admission,
    credit: money.credit,
    createEngine:
      override ?? chooseEngine(config, { clock, timers, log, vault, storedKeys: base.storedKeys, node }),
    host: {
      credentials: extensions.phones.credentials,
      extensions: extensions.phones.all,
      registrations: registrations.load,
      onRegistration: registrations.onEvent,
      onKnownAddresses: extensions.phoneAddresses.remember,
      hasOtherNodes: () => fleet.otherVoiceNodes() > 0,
      onTrace: traceWriter?.add,
    },
    onCeiling: reactions.onCallsAtOnce,
    onRecorded: (callId, recording) => void calls.recordingIntake.take(callId, recording),
  })
  extensions.phones.onChanged((extension) => {
    voice.engine.forget(extension)
    reactions.onPhones([extension])
    push(extension).catch(onError)
  })
  users.callers.onChanged((userId) => voice.engine.recheck(userId))

  extensions.phones.onMoved(registrations.onMoved)
  // D500: from now on no notice is missed, but some were.
  notices.onConnected(() => registrations.compare().catch(onError))

  services.trunks.stored.onChanged(voice.engine.setTrunks)
  const trunkShares = createTrunkShares({
    db: base.db,
    timers,
    node,
    engine: voice.engine,
    otherVoiceNodes: fleet.otherVoiceNodes,
  })

  /** For an engine that does not look passwords up itself. */
  async function push(extension: ExtensionName) {
    const credentials = await extensions.phones.credentials(extension)
    if (credentials && !credentials.isSuspended) voice.engine.put({ extension, credentials })
  }

  const jobs: Job[] = [
    { name: 'credit of live calls', everyMs: extendEverySeconds * 1000, tick: voice.creditControl.tick },
    { name: 'calls and hang-ups of other processes', everyMs: 1_000, tick: voice.claims.tick },
    { name: 'trunk shares', everyMs: shareSeconds * 1000, tick: trunkShares.tick },
    { name: 'registration refreshes', everyMs: 10_000, tick: registrations.tick },
    { name: 'registrations compared', everyMs: 60_000, tick: registrations.compare },
    {
      name: 'abandoned recordings',
      everyMs: 15_000,
      tick: () => calls.recordingIntake.adopt(voice.engine.abandonedRecordings()),
    },
    {
      name: 'old recording files',
      everyMs: 3_600_000,
      tick: clockWatch.whileAgreeing(calls.recordings.sweepFiles),
    },
    { name: 'unmarked recordings', everyMs: 15_000, tick: calls.recordingIntake.confirm },
  ]

  if (traceWriter) jobs.push({ name: 'SIP messages', everyMs: writeTracesMs, tick: traceWriter.tick })

  return {
    node: voice,
    registrations,
    jobs,
    metrics: () => ({
      ...voice.metrics(),
      ...calls.recordingIntake.metrics(),
      ...traceWriter?.metrics(),
    }),
    /** Where phones reach it. */
    address: () => fixedAddress ?? voice.engine.addresses().SIP,
    /** Ends the live calls, and writes what is known of them and of the phones. */
    async stop() {
      await voice.stop()
      await traceWriter?.tick().catch(onError)
      await registrations.tick()
    },
  }
}

/** Undefined if the system chooses the port: no later process will be reached there. */
function fixedAddressOf({ voice: { publicHost, port } }: Config): string | undefined {
  return port === 0 ? undefined : `${publicHost}:${port}`
}
