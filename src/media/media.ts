/**
 * Media: the audio of calls, relayed in threads of their own so that the service's event loop never delays it.
 * This file assigns ports and threads to calls; it never sees packets.
 */
import type { Log } from '../kit/process/log.ts'
import { createIdentity, fingerprintOf } from './dtls/certificate.ts'
import type { PlayRequest, Sounds } from './relay/player.ts'
import type { Description, Direction, SideName } from './relay/side.ts'
import { brazilianRingback } from './sound/tone.ts'
import { MediaRefusal, type MediaThread, startMediaThread } from './thread/media-thread.ts'
import type { MediaEvent, MediaResult, RequestName, Requests } from './thread/messages.ts'
import { createPortPool, type PortRange } from './thread/port-pool.ts'
import type { SidePorts } from './thread/sockets.ts'
import type { UdpKind } from './udp/choose-udp.ts'

type Options = {
  ports: PortRange
  host: string
  /** At the start, and at most: D634. */
  threads?: number
  maxThreads?: number
  callsPerThread?: number
  /** D631: a kind that can be used here. */
  sockets?: UdpKind
  /** D632: the mark of the packets. */
  dscp?: number
  /** Without a packet for this long, a side counts as silent. */
  silentAfterMs?: number
  /** Those that can be played to a side, by name. */
  sounds?: Sounds
  log: Pick<Log, 'warn' | 'error'>
}
type Call = {
  thread: Thread
  ports: SidePorts | undefined
  onEvent: (event: MediaEvent) => void
  opening: Promise<unknown>
  closing?: Promise<MediaResult>
}
/** D634: a thread with so many calls uses about half of a core. */
const usualCallsPerThread = 150

type Thread = { running: MediaThread | undefined; calls: Set<string> }

export function createMedia(options: Options) {
  const { ports, host, sockets = 'dgram', dscp = 0 } = options
  const { threads: threadCount = 1, maxThreads = threadCount, callsPerThread = usualCallsPerThread } = options
  const { silentAfterMs = 30_000, sounds = {}, log } = options
  const identity = createIdentity(new Date())
  const pool = createPortPool(ports)
  const calls = new Map<string, Call>()
  const threads: Thread[] = Array.from({ length: threadCount }, newThread)
  let stopped = false
  let droppedByKernel = 0

  /** Starts the threads before the first call, so that no call waits for one to start. */
  function start() {
    for (const thread of threads) thread.running ??= startThread(thread)
  }

  /** Binds a pair of ports per side. The call's events go to `onEvent` until it is closed. */
  async function open(id: string, onEvent: (event: MediaEvent) => void = () => {}) {
    if (stopped) throw new MediaRefusal('media stopped')
    if (calls.has(id)) throw new MediaRefusal('call already open')
    const thread = leastLoaded()
    const call: Call = { thread, ports: takePorts(), onEvent, opening: Promise.resolve() }
    calls.set(id, call)
    thread.calls.add(id)
    try {
      const binding = bind(id, call)
      call.opening = binding
      return { host, ports: await binding }
    } catch (error) {
      forget(id, call)
      throw error
    }
  }

  /** The call that makes all threads full starts another one for those that follow, so that none waits for it. */
  function leastLoaded(): Thread {
    const least = threads.reduce((least, one) => (one.calls.size < least.calls.size ? one : least))
    if (least.calls.size >= callsPerThread - 1 && threads.length < maxThreads) {
      const added = newThread()
      added.running = startThread(added)
      threads.push(added)
    }
    return least
  }

  /** A port in use by another process goes to the end of the pool and the next is tried, each port once. */
  async function bind(id: string, call: Call): Promise<SidePorts> {
    for (let tries = pool.free(); ; tries -= 1) {
      if (!call.ports) throw new MediaRefusal('media lost')
      const tried = call.ports
      const { portInUse } = await request(id, 'open', { host, ports: tried, silentAfterMs })
      if (portInUse === undefined) return { ...tried }
      if (!call.ports) throw new MediaRefusal('media lost')
      const side = portInUse - (portInUse % 2) === tried.extension ? 'extension' : 'other'
      const next = tries > 0 ? pool.take() : undefined
      if (next === undefined) throw new MediaRefusal('ports used up')
      pool.release(tried[side])
      tried[side] = next
    }
  }

  function takePorts(): SidePorts {
    const extension = pool.take()
    const other = pool.take()
    if (extension !== undefined && other !== undefined) return { extension, other }
    if (extension !== undefined) pool.release(extension)
    throw new MediaRefusal('ports used up')
  }

  /** Releases the ports only the first time: later they may belong to another call. */
  function forget(id: string, call: Call) {
    if (call.ports) {
      pool.release(call.ports.extension)
      pool.release(call.ports.other)
    }
    call.ports = undefined
    call.thread.calls.delete(id)
    if (calls.get(id) === call) calls.delete(id)
  }

  async function request<Name extends RequestName>(id: string, name: Name, input: Requests[Name]['input']) {
    const call = calls.get(id)
    if (!call || (call.closing && name !== 'close' && name !== 'open')) throw new MediaRefusal('no such call')
    call.thread.running ??= startThread(call.thread)
    return await call.thread.running.request(name, id, input)
  }

  function startThread(thread: Thread): MediaThread {
    return startMediaThread({
      data: { identity, sounds, sockets, dscp },
      onEvent: (id, event) => calls.get(id)?.onEvent(event),
      onMissed: (events) => log.warn({ events }, 'media events were missed'),
      onEnd: (cause) => {
        thread.running = undefined
        if (!stopped) log.error({ err: cause, calls: thread.calls.size }, 'a media thread ended')
        for (const id of [...thread.calls]) {
          const call = calls.get(id)
          if (!call) continue
          forget(id, call)
          call.onEvent({ type: 'lost' })
        }
      },
    })
  }

  /** A second close gets the result of the first. */
  async function close(id: string): Promise<MediaResult> {
    const call = calls.get(id)
    if (!call) throw new MediaRefusal('no such call')
    // Waits for the sockets to open: closing earlier would leave them open for ever.
    call.closing ??= call.opening.then(() => finish(id)).finally(() => forget(id, call))
    return await call.closing
  }

  async function finish(id: string): Promise<MediaResult> {
    const result = await request(id, 'close', {})
    const { extension, other } = result.statistics
    droppedByKernel += (extension.droppedByKernel ?? 0) + (other.droppedByKernel ?? 0)
    return result
  }

  async function stop() {
    stopped = true
    await Promise.allSettled([...calls.keys()].map(close))
    await Promise.all(threads.map(({ running }) => running?.stop()))
  }

  return {
    start,
    open,
    close,
    stop,
    /** The media part of a side's SDP, at first and at every re-INVITE. */
    expect: (id: string, side: SideName, description: Description) =>
      request(id, 'expect', { side, description }),
    setDirection: (id: string, side: SideName, direction: Direction) =>
      request(id, 'setDirection', { side, direction }),
    playTone: (id: string, side: SideName, tone: PlayRequest) =>
      request(id, 'playTone', { side, request: tone }),
    playRingback: (id: string, side: SideName) =>
      request(id, 'playTone', { side, request: { tone: brazilianRingback, untilMedia: true } }),
    /** Sends keys to a side, as telephone events or, if it has none, as tones. */
    pressKeys: (id: string, side: SideName, keys: string) => request(id, 'pressKeys', { side, keys }),
    /** Whether sound or reports of it (RTCP) ever came from each side. */
    hasReceived: (id: string) => request(id, 'hasReceived', {}),
    stopTone: (id: string, side: SideName) => request(id, 'stopTone', { side }),
    startRecording: (id: string, path: string) => request(id, 'startRecording', { path }),
    stopRecording: (id: string) => request(id, 'stopRecording', {}),
    /** Fingerprint of our certificate, for our SDP. */
    fingerprint: fingerprintOf(identity.certificate),
    /** For the metrics. */
    load: () => ({
      calls: calls.size,
      freePairs: pool.free(),
      threads: threads.filter(({ running }) => running).length,
      callsOfThreads: threads.map((thread) => thread.calls.size),
      /** In calls that have ended. */
      droppedByKernel,
    }),
  }
}
export type Media = ReturnType<typeof createMedia>

const newThread = (): Thread => ({ running: undefined, calls: new Set() })
