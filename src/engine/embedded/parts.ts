/** The parts of the embedded engine, opened in order of dependency; if one fails, those opened before are closed. */
import type { KeyObject } from 'node:crypto'
import { isIP } from 'node:net'
import { availableParallelism } from 'node:os'
import { type Clock, systemClock } from '../../kit/clock.ts'
import { inNetworks } from '../../kit/networks.ts'
import type { Log } from '../../kit/process/log.ts'
import { startLoop } from '../../kit/process/loop.ts'
import { createTlsReload, readTlsFiles, tlsReloadMs } from '../../kit/process/tls-files.ts'
import type { Timers } from '../../kit/timers.ts'
import { createMedia } from '../../media/media.ts'
import { createMarker, usableKind } from '../../media/udp/choose-udp.ts'
import { createDigestServer } from '../../sip/digest/server.ts'
import type { Flow } from '../../sip/transport/flow.ts'
import type { EngineHost } from '../port.ts'
import type { TrunkSettings } from '../trunk-settings/trunk-settings.ts'
import { createFailureSounds } from './call/media/failure-sounds.ts'
import { createSenderCheck } from './call/sender-check.ts'
import { createSwitchboard } from './call/switchboard.ts'
import { createDraining } from './draining.ts'
import { createExtensionRates } from './guard/extension-rates.ts'
import { createFailureBudgets } from './guard/failure-budgets.ts'
import { createGuard } from './guard/guard.ts'
import { createNodeCalls, type NodeIdentity } from './nodes/node-calls.ts'
import { answerOther } from './other-requests.ts'
import { fleetSeconds, lifetimes } from './registrar/register-request.ts'
import { createRegistrar } from './registrar/registrar.ts'
import { openSandbox } from './sandbox-trunk.ts'
import type { EmbeddedSettings } from './settings.ts'
import { openSip } from './sip.ts'
import { loadSounds } from './sounds.ts'
import { createSpool } from './spool.ts'
import { createCallTraces } from './trace/call-traces.ts'
import { createResolve } from './trunks/resolve.ts'
import { readTrunk } from './trunks/trunk.ts'
import { createTrunks } from './trunks/trunks.ts'

export type PartsDeps = {
  settings: EmbeddedSettings
  /** Where recordings are written during calls. */
  spoolFolder: string
  digestKey: KeyObject
  clock: Clock
  timers: Timers
  log: Log
  /** Identity of this node in a fleet; without it, calls go to phones of this engine only. */
  node?: NodeIdentity | undefined
  /** Addresses that the guard does not limit; by default all of loopback. */
  isThisMachine?(address: string): boolean
}

/** How long a phone may use a nonce, and how many nonces are watched for replays. */
const nonceSeconds = 300
const maxNonces = 40_000

const keepAlive = Buffer.from('\r\n\r\n')

export async function openParts(deps: PartsDeps, host: EngineHost) {
  const closers: (() => Promise<void> | void)[] = []
  const stop = async () => {
    for (const close of closers.splice(0).reverse()) await close()
  }
  try {
    return { ...(await open(deps, host, closers)), stop }
  } catch (error) {
    await stop()
    throw error
  }
}
export type Parts = Awaited<ReturnType<typeof openParts>>

async function open(
  { settings, spoolFolder, digestKey, clock, timers, log, node, isThisMachine }: PartsDeps,
  host: EngineHost,
  closers: (() => Promise<void> | void)[],
) {
  const { sounds, announcements } = await loadSounds(settings)
  const spool = createSpool({ folder: spoolFolder, clock: systemClock })
  await spool.create()
  const tls = settings.tlsFiles && (await readTlsFiles(settings.tlsFiles, tlsSettings))
  const isEdge = inNetworks(settings.edges)
  /** Carriers and edge proxies bring what many others send. */
  const isCarrier = (address: string) => isEdge(address) || trunks.isCarrier(address)
  const resolve = createResolve({ family: settings.host.includes(':') ? 6 : 4 })
  const nodeCalls = node && createNodeCalls({ identity: node, host, clock, timers, resolve })
  const guard = createGuard({
    timers,
    isCarrier: (address) => isCarrier(address) || nodeCalls?.isNode(address) === true,
    ...(isThisMachine && { isThisMachine }),
  })
  const onClosed = (flow: Flow) => registrar.onConnectionClosed(flow)
  const sockets = usableKind(settings.mediaSockets, log)
  const markSocket = createMarker(sockets, settings.sipDscp)
  // A name has no place in a capture file.
  const address = isIP(settings.publicHost) ? settings.publicHost : settings.host
  const traces = host.onTrace && createCallTraces({ clock, timers, onTrace: host.onTrace, address })
  // After the sockets are closed: until then messages come.
  if (traces) closers.push(traces.stop)
  const tap = traces?.tap
  const sip = await openSip({
    settings,
    markSocket,
    isEdge,
    tls,
    guard,
    isCarrier,
    timers,
    log,
    tap,
    onClosed,
  })
  closers.push(sip.stop)
  if (settings.tlsFiles && tls) {
    const reload = createTlsReload({
      paths: settings.tlsFiles,
      settings: tlsSettings,
      pair: tls,
      onChange: sip.renewTls,
      onProblem: (problem) => log.error({ problem }, 'SIP over TLS keeps its certificate'),
    })
    const onError = (error: unknown) => log.error({ err: error }, 'the certificate of SIP was not read')
    closers.push(startLoop({ name: 'SIP certificate', everyMs: tlsReloadMs, tick: reload, onError }).stop)
  }
  const { userAgent, contact } = sip
  const sandbox = settings.usesSandbox ? await openSandbox({ timers, log }) : undefined
  if (sandbox) closers.push(sandbox.carrier.stop)

  const ownHosts = [settings.publicHost, 'localhost']
  const digest = createDigestServer({
    key: digestKey,
    clock,
    nonceSeconds,
    nonces: maxNonces,
    algorithms: ['MD5'],
  })
  const budgets = createFailureBudgets({ timers, onKnown: host.onKnownAddresses })
  const rates = createExtensionRates({ timers })
  const registrar = createRegistrar({
    host: {
      credentials: host.credentials,
      onRegistration(event) {
        media.start()
        draining.onRegistration(event)
        return host.onRegistration(event)
      },
    },
    digest,
    clock,
    timers,
    log,
    guard,
    budgets,
    rates,
    ownHosts,
    prove: sip.prove,
    close: sip.close,
    ping: (flow) => void sip.send(keepAlive, flow),
    maxSeconds: () => {
      // A phone that found no other node looks again soon.
      if (draining.isOn()) return lifetimes.min
      return host.hasOtherNodes?.() ? fleetSeconds() : lifetimes.max
    },
  })
  // D251: a carrier that knows addresses takes calls from those alone.
  const isBoundHere = ({ nodes }: TrunkSettings) => nodes.length === 0 || nodes.includes(settings.publicHost)
  const usableHere = (given: readonly TrunkSettings[]) => given.filter(isBoundHere).map(readTrunk)
  const trunks = createTrunks({
    trunks: sandbox?.trunks.map(readTrunk) ?? usableHere(settings.trunks),
    userAgent,
    contact,
    timers,
    log,
    resolve,
  })
  const media = createMedia({
    ports: settings.rtpPorts,
    host: settings.host,
    threads: settings.mediaThreads,
    maxThreads: Math.max(settings.mediaThreads, availableParallelism()),
    sockets,
    dscp: settings.soundDscp,
    silentAfterMs: settings.mediaSeconds * 1000,
    sounds,
    log,
  })
  const senderCheck = createSenderCheck({
    host,
    digest,
    timers,
    log,
    guard,
    budgets,
    rates,
    prove: sip.prove,
    trunks,
    ownHosts: new Set(ownHosts),
    flowOf: (extension) => registrar.find(extension)?.target,
  })
  const switchboard = createSwitchboard({
    userAgent,
    media,
    timers,
    clock,
    log,
    trunks,
    host,
    senderCheck,
    address: settings.publicHost,
    codecs: {
      phones: settings.codecs,
      carriers: trunks.codecs,
    },
    autoAnswer: settings.autoAnswer,
    allowsOpenKeys: settings.srtpWithoutTls,
    findPhone: registrar.find,
    followsRedirects: settings.followsRedirects,
    mediaSeconds: settings.mediaSeconds,
    awaySeconds: settings.awaySeconds,
    failureSound: createFailureSounds({ toneSeconds: settings.failureToneSeconds, announcements }),
    spool,
    nodeCalls,
    traces,
  })
  const draining = createDraining({
    timers,
    flows: sip.peerFlows,
    connectionsInUse: userAgent.connectionsInUse,
    isShared: isCarrier,
    isFromNode: (request) => nodeCalls?.isFromNode(request) === true,
    close: sip.close,
    extensionOf: registrar.named,
    keepRegistration: registrar.prolong,
    isElsewhere: async (extension) => (await host.findNode?.(extension)) !== undefined,
    register: registrar.handle,
  })
  closers.push(media.stop, registrar.stop, sip.waitForFarewells, trunks.stop, switchboard.stop, draining.stop)

  userAgent.onInvite(
    switchboard.onInvite,
    (incoming) =>
      draining.refuses(incoming) ||
      (!nodeCalls?.isFromNode(incoming.request) && senderCheck.challengeStranger(incoming)),
  )
  userAgent.onRequest((incoming) => {
    if (draining.refuses(incoming)) return
    if (incoming.request.method === 'REGISTER') registrar.handle(incoming)
    else answerOther(incoming)
  })
  const registrations = await host.registrations()
  // D330: without phones and carriers no call can come, and a media thread would only take memory.
  if (registrations.length > 0 || settings.trunks.length > 0) media.start()
  registrar.restore(registrations)
  await trunks.start()
  /** D624: one after the other, so that the last one wins. */
  let changing = Promise.resolve()
  function setTrunks(given: readonly TrunkSettings[]) {
    if (given.length > 0) media.start()
    changing = changing
      .then(() => trunks.set(usableHere(given)))
      .catch((error: unknown) => log.error({ err: error }, 'the trunks were not changed'))
  }
  return { guard, sip, sandbox, registrar, trunks, setTrunks, media, switchboard, spool, draining, traces }
}

const tlsSettings = { cert: 'SIP_TLS_CERT', key: 'SIP_TLS_KEY' }
