/**
 * Media: the sound of calls, carried in threads of its own so that the service's event loop never delays it.
 * Here are the calls, their ports and which thread has them; packets are never seen here.
 */
import type { Log } from '../../kit/log.ts'
import type { Description, Direction, SideName } from './relay/side.ts'
import type { ToneWish } from './relay/tone-player.ts'
import { brazilianRingback } from './sound/tone.ts'
import { MediaRefusal } from './thread/media-refusal.ts'
import { type MediaThread, startMediaThread } from './thread/media-thread.ts'
import type { Closed, MediaEvent, RequestName, Requests } from './thread/messages.ts'
import { createPortPool, type PortRange } from './thread/port-pool.ts'
import type { SidePorts } from './thread/sockets.ts'

type Options = {
  ports: PortRange
  host: string
  threads?: number
  /** Milliseconds without a packet after which a side is told to be silent. */
  silentAfter?: number
  log: Pick<Log, 'warn' | 'error'>
}
type Call = {
  thread: Thread
  ports: SidePorts | undefined
  onEvent: (event: MediaEvent) => void
  opening: Promise<unknown>
  closing?: Promise<Closed>
}
type Thread = { running: MediaThread | undefined; calls: Set<string> }

export function createMedia({ ports, host, threads: wanted = 1, silentAfter = 30_000, log }: Options) {
  const pool = createPortPool(ports)
  const calls = new Map<string, Call>()
  const threads: Thread[] = Array.from({ length: wanted }, () => ({ running: undefined, calls: new Set() }))
  let stopped = false

  /** Before the first call: a thread takes longer to start than anybody should wait for a phone to ring. */
  function start() {
    for (const thread of threads) thread.running ??= startThread(thread)
  }

  /** A pair of ports per side, bound when this returns. The call's events come to `onEvent` until it is closed. */
  async function open(id: string, onEvent: (event: MediaEvent) => void = () => {}) {
    if (stopped) throw new MediaRefusal('media stopped')
    if (calls.has(id)) throw new MediaRefusal('call already open')
    const thread = threads.reduce((least, one) => (one.calls.size < least.calls.size ? one : least))
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

  /** A port held by somebody outside goes to the end of the queue and another is tried, each once. */
  async function bind(id: string, call: Call): Promise<SidePorts> {
    for (let tries = pool.free(); ; tries -= 1) {
      if (!call.ports) throw new MediaRefusal('media lost')
      const asked = call.ports
      const { taken } = await ask(id, 'open', { host, ports: asked, silentAfter })
      if (taken === undefined) return { ...asked }
      if (!call.ports) throw new MediaRefusal('media lost')
      const side = taken - (taken % 2) === asked.extension ? 'extension' : 'other'
      const another = tries > 0 ? pool.take() : undefined
      if (another === undefined) throw new MediaRefusal('ports used up')
      pool.giveBack(asked[side])
      asked[side] = another
    }
  }

  function takePorts(): SidePorts {
    const extension = pool.take()
    const other = pool.take()
    if (extension !== undefined && other !== undefined) return { extension, other }
    if (extension !== undefined) pool.giveBack(extension)
    throw new MediaRefusal('ports used up')
  }

  /** Whoever comes first gives the ports back; by the second time they may be another call's. */
  function forget(id: string, call: Call) {
    if (call.ports) {
      pool.giveBack(call.ports.extension)
      pool.giveBack(call.ports.other)
    }
    call.ports = undefined
    call.thread.calls.delete(id)
    if (calls.get(id) === call) calls.delete(id)
  }

  async function ask<Name extends RequestName>(id: string, name: Name, wish: Requests[Name]['ask']) {
    const call = calls.get(id)
    if (!call || (call.closing && name !== 'close' && name !== 'open')) throw new MediaRefusal('no such call')
    call.thread.running ??= startThread(call.thread)
    return await call.thread.running.ask(name, id, wish)
  }

  function startThread(thread: Thread): MediaThread {
    return startMediaThread({
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

  /** Closing twice is once, and answers the same. */
  async function close(id: string): Promise<Closed> {
    const call = calls.get(id)
    if (!call) throw new MediaRefusal('no such call')
    // Before its sockets are there they cannot be closed, and would stay for ever.
    call.closing ??= call.opening.then(() => ask(id, 'close', {})).finally(() => forget(id, call))
    return await call.closing
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
    /** What a side's SDP says, at first and at every re-INVITE. */
    expect: (id: string, side: SideName, description: Description) =>
      ask(id, 'expect', { side, description }),
    setDirection: (id: string, side: SideName, direction: Direction) =>
      ask(id, 'setDirection', { side, direction }),
    playTone: (id: string, side: SideName, wish: ToneWish) => ask(id, 'playTone', { side, wish }),
    playRingback: (id: string, side: SideName) =>
      ask(id, 'playTone', { side, wish: { tone: brazilianRingback, untilMedia: true } }),
    stopTone: (id: string, side: SideName) => ask(id, 'stopTone', { side }),
    startRecording: (id: string, path: string) => ask(id, 'startRecording', { path }),
    stopRecording: (id: string) => ask(id, 'stopRecording', {}),
    /** For the metrics: calls with media, and pairs of ports left. */
    load: () => ({ calls: calls.size, freePairs: pool.free() }),
  }
}
export type Media = ReturnType<typeof createMedia>
