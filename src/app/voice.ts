/** The voice role: an engine with its node, the registrations of its phones and its recordings. */
import type { Config } from '../config.ts'
import type { EngineHost, ExtensionName, VoiceEngine } from '../engine/port.ts'
import { createRegistrations } from '../extensions/registrations.ts'
import { extendEverySeconds } from '../voice/credit-control.ts'
import type { CallNotices } from '../voice/fleet/call-notices.ts'
import { createVoiceNode } from '../voice/node.ts'
import { createTrunkShares, shareSeconds } from '../voice/nodes/trunk-shares.ts'
import { chooseEngine } from './adapters.ts'
import type { Job } from './jobs.ts'
import type { Services } from './services.ts'

type Deps = {
  config: Config
  services: Services
  node: string
  callNotices: CallNotices
  override: ((host: EngineHost) => VoiceEngine) | undefined
  /** Other living nodes with the voice role. */
  otherVoiceNodes: () => number
}

export function createVoice({ config, services, node, callNotices, override, otherVoiceNodes }: Deps) {
  const { base, money, extensions, calls, limits } = services
  const { callsDb: db, clock, timers, log, vault, notices, onError } = base
  const fixedAddress = fixedAddressOf(config)
  const registrations = createRegistrations({
    db,
    clock,
    node,
    address: fixedAddress,
    phones: extensions.phones,
    onError,
    onChanged: (changed) =>
      base.liveHints.add(
        'phone',
        changed.map(({ number, domain }) => `${number}@${domain}`),
      ),
  })
  const voice = createVoiceNode({
    db,
    clock,
    timers,
    log,
    notices,
    callNotices,
    node,
    limits: config.callLimits,
    services: config.serviceNumbers,
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
      hasOtherNodes: () => otherVoiceNodes() > 0,
    },
    onCeiling: (accountId, limit) => limits.alerts.raise(accountId, { rule: 'calls-at-once', limit }),
    onRecorded: (callId, recording) => void calls.recordingIntake.take(callId, recording),
  })
  extensions.phones.onChanged((extension) => {
    voice.engine.forget(extension)
    base.liveHints.add('phone', [`${extension.number}@${extension.domain}`])
    push(extension).catch(onError)
  })

  const trunkShares = createTrunkShares({ db: base.db, timers, node, engine: voice.engine, otherVoiceNodes })

  /** For an engine that does not look passwords up itself. */
  async function push(extension: ExtensionName) {
    const credentials = await extensions.phones.credentials(extension)
    if (credentials) voice.engine.put({ extension, credentials })
  }

  const jobs: Job[] = [
    { name: 'credit of live calls', everyMs: extendEverySeconds * 1000, tick: voice.creditControl.tick },
    { name: 'calls and hang-ups of other processes', everyMs: 1_000, tick: voice.claims.tick },
    { name: 'trunk shares', everyMs: shareSeconds * 1000, tick: trunkShares.tick },
    { name: 'registration refreshes', everyMs: 10_000, tick: registrations.tick },
    {
      name: 'abandoned recordings',
      everyMs: 15_000,
      tick: () => calls.recordingIntake.adopt(voice.engine.abandonedRecordings()),
    },
    { name: 'old recording files', everyMs: 3_600_000, tick: calls.recordings.sweepFiles },
    { name: 'unmarked recordings', everyMs: 15_000, tick: calls.recordingIntake.confirm },
  ]

  return {
    node: voice,
    registrations,
    jobs,
    metrics: () => ({ ...voice.metrics(), ...calls.recordingIntake.metrics() }),
    /** Where phones reach it. */
    address: () => fixedAddress ?? voice.engine.addresses().SIP,
    /** Ends the live calls, and writes what is known of them and of the phones. */
    async stop() {
      await voice.stop()
      await registrations.tick()
    },
  }
}

/** Undefined if the system chooses the port: no later process will be reached there. */
function fixedAddressOf({ voice: { publicHost, port } }: Config): string | undefined {
  return port === 0 ? undefined : `${publicHost}:${port}`
}
