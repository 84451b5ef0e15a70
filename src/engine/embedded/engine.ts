/** The embedded voice engine: SIP and sound in this process. Its calls end when the process does. */
import type { EngineHost, VoiceEngine } from '../port.ts'
import type { TrunkSettings } from '../trunk-settings/trunk-settings.ts'
import { retrySeconds } from './draining.ts'
import { openParts, type Parts, type PartsDeps } from './parts.ts'
import { readTrunk } from './trunks/trunk.ts'

export function createEmbeddedEngine(deps: PartsDeps, host: EngineHost) {
  let parts: Parts | undefined
  let draining = false
  let { trunks } = deps.settings

  const engine: VoiceEngine = {
    async start() {
      parts = await openParts({ ...deps, settings: { ...deps.settings, trunks } }, host)
      parts.draining.set(draining)
    },
    place(request) {
      if (!parts) throw new Error('the voice engine is not running')
      parts.switchboard.place(request)
    },
    async callForCode(request) {
      if (!parts) throw new Error('the voice engine is not running')
      return await parts.switchboard.callForCode(request)
    },
    hangUp: (callId, cause) => parts?.switchboard.hangUp(callId, cause) ?? false,
    transfer: (callId, accepted) => parts?.switchboard.transfer(callId, accepted) ?? false,
    pressKeys: (callId, to, keys) => parts?.switchboard.pressKeys(callId, to, keys) ?? false,
    liveCalls: () => parts?.switchboard.live() ?? [],
    relayedCalls: () => parts?.switchboard.relayed() ?? 0,
    registration: (extension) => parts?.registrar.registration(extension),
    phones: () => parts?.registrar.count() ?? 0,
    phonesToMove: () => (parts ? parts.registrar.count() - parts.draining.staying() : 0),
    // Passwords are looked up when phones register.
    put() {},
    forget: (extension) => parts?.registrar.forget(extension),
    recheck: (userId) => parts?.registrar.recheck(userId),
    async *abandonedRecordings() {
      if (!parts) return
      const live = new Set(parts.switchboard.live())
      yield* parts.spool.abandoned((callId) => live.has(callId))
    },
    addresses: () => (parts ? addressesOf(deps.settings.publicHost, parts) : {}),
    problems: () => (parts ? parts.trunks.problems() : ['The voice engine is not running']),
    // The sandbox is this process's own.
    trunks: () => (parts && !parts.sandbox ? parts.trunks.loads() : []),
    limitTrunks: (shares) => parts?.trunks.limit(shares),
    setTrunks(given: readonly TrunkSettings[]) {
      // D624: the sandbox is no trunk of an operator, and stays.
      if (deps.settings.usesSandbox) return
      trunks = given
      parts?.setTrunks(given)
    },
    testTrunk: async (trunk) => (await parts?.trunks.test(readTrunk(trunk))) ?? [],
    setDraining(isDraining) {
      draining = isDraining
      parts?.draining.set(isDraining)
    },
    acceptUpgrade(upgrade) {
      if (!parts) upgrade.socket.destroy()
      else if (draining) upgrade.socket.end(drainingResponse)
      else parts.sip.acceptUpgrade(upgrade)
    },
    metrics: () => (parts ? metricsOf(parts) : {}),
    async stop() {
      await parts?.stop()
      parts = undefined
    },
  }
  return {
    ...engine,
    /** As they really are; none before the start. */
    ports: () => parts?.sip.ports() ?? {},
    /** Places calls into the service, where no real carrier is configured. */
    sandbox: () => parts?.sandbox?.carrier,
  }
}

/** To a web phone, which then connects through its balancer again. */
const drainingResponse = [
  'HTTP/1.1 503 Service Unavailable',
  `Retry-After: ${retrySeconds}`,
  'Connection: close',
  'Content-Length: 0',
  '',
  '',
].join('\r\n')

function addressesOf(publicHost: string, { sip }: Parts): Record<string, string> {
  const { udp, tls, ws, wss } = sip.ports()
  const host = publicHost.includes(':') ? `[${publicHost}]` : publicHost
  return {
    ...(udp !== undefined && { SIP: `${host}:${udp}` }),
    ...(tls !== undefined && { 'SIP TLS': `${host}:${tls}` }),
    ...(ws !== undefined && { WebSocket: `ws://${host}:${ws}` }),
    ...(wss !== undefined && { WebSocket: `wss://${host}:${wss}` }),
  }
}

function metricsOf({
  switchboard,
  registrar,
  trunks,
  guard,
  sip,
  media,
  traces,
}: Parts): Record<string, number> {
  const { calls, freePairs, threads, droppedByKernel } = media.load()
  return {
    ...switchboard.metrics(),
    ...registrar.metrics(),
    ...trunks.metrics(),
    ...guard.metrics(),
    ...sip.metrics(),
    ...traces?.metrics(),
    media_calls: calls,
    media_free_port_pairs: freePairs,
    media_threads: threads,
    media_kernel_drops_total: droppedByKernel,
  }
}
