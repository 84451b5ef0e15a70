/** A media thread: its calls with their sockets, and the two timers that all calls share. */
import { parentPort, workerData } from 'node:worker_threads'
import type { Identity } from '../dtls/certificate.ts'
import { packetMs } from '../rtp/pacer.ts'
import { createHandshakeQueue } from '../secure/handshake-queue.ts'
import { createUdp } from '../udp/choose-udp.ts'
import { PortInUse } from '../udp/port.ts'
import { type CallMedia, createCallMedia } from './call-media.ts'
import { loadOnce } from './load-state.ts'
import type { Request, Requests, ThreadData, ToThread } from './messages.ts'
import { createOutbox } from './outbox.ts'

const tickMs = 250

/** Copied to this thread: a Buffer has become a plain array of octets. */
const { identity: received, sounds, sockets, dscp, loadState }: ThreadData = workerData
const identity: Identity = { ...received, certificate: Buffer.from(received.certificate) }

const udp = loadOnce(loadState, () => createUdp(sockets, dscp))
const shared = { udp, identity, sounds, handshakes: createHandshakeQueue() }
const calls = new Map<string, CallMedia>()
const playing = new Set<CallMedia>()
const outbox = createOutbox((message) => parentPort?.postMessage(message))
let toneTimer: NodeJS.Timeout | undefined

parentPort?.on('message', ({ requests, acknowledgesEvents }: ToThread) => {
  if (acknowledgesEvents) outbox.acknowledge()
  for (const request of requests) handle(request)
})

function handle(request: Request) {
  const { id } = request
  perform(request).then(
    (answer) => outbox.answer({ id, answer }),
    (error: Error) => outbox.answer({ id, failure: error.message }),
  )
}

setInterval(() => {
  const now = performance.now()
  for (const call of calls.values()) call.tick(now)
}, tickMs)

async function perform({ call: id, name, input }: Request): Promise<Requests[typeof name]['answer']> {
  if (name === 'open') return await open(id, input)
  const call = calls.get(id)
  if (!call) throw new Error('no such call')
  const now = performance.now()
  if (name === 'expect') call.expect(input.side, input.description, now)
  if (name === 'setDirection') call.relay.setDirection(input.side, input.direction, now)
  if (name === 'stopTone') call.relay.stopTone(input.side)
  if (name === 'startRecording') await call.startRecording(input.path)
  if (name === 'hasReceived') return call.relay.hasReceived()
  if (name === 'stopRecording') return await call.stopRecording()
  if (name === 'playTone') {
    call.relay.playTone(input.side, input.request, now)
    startPlaying(call)
  }
  if (name === 'pressKeys') {
    call.relay.pressKeys(input.side, input.keys, now)
    startPlaying(call)
  }
  if (name === 'close') {
    calls.delete(id)
    playing.delete(call)
    return await call.close()
  }
}

async function open(id: string, input: Requests['open']['input']): Promise<Requests['open']['answer']> {
  try {
    calls.set(id, await createCallMedia(input, shared, (event) => outbox.emit(id, event)))
    return {}
  } catch (error) {
    if (error instanceof PortInUse) return { portInUse: error.port }
    throw error
  }
}

function startPlaying(call: CallMedia) {
  playing.add(call)
  toneTimer ??= setInterval(playTones, packetMs)
  playTones()
}

function playTones() {
  const now = performance.now()
  for (const call of playing) {
    call.relay.tick(now)
    if (!call.relay.isPlaying()) playing.delete(call)
  }
  if (playing.size > 0) return
  clearInterval(toneTimer)
  toneTimer = undefined
}
