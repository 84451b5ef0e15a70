/** A media thread: the calls it carries, their sockets, and the two timers all of them share. */
import { parentPort } from 'node:worker_threads'
import { packetMs } from '../rtp/pacer.ts'
import { type CallMedia, createCallMedia } from './call-media.ts'
import type { Request, Requests, ToThread } from './messages.ts'
import { createOutbox } from './outbox.ts'
import { PortTaken } from './sockets.ts'

const chores = 250

const calls = new Map<string, CallMedia>()
const ringing = new Set<CallMedia>()
const outbox = createOutbox((message) => parentPort?.postMessage(message))
let toneTimer: NodeJS.Timeout | undefined

parentPort?.on('message', ({ requests, heard }: ToThread) => {
  if (heard) outbox.heard()
  for (const request of requests) take(request)
})

function take(request: Request) {
  const { id } = request
  perform(request).then(
    (answer) => outbox.answer({ id, answer }),
    (error: Error) => outbox.answer({ id, failure: error.message }),
  )
}

setInterval(() => {
  const now = performance.now()
  for (const call of calls.values()) call.doChores(now)
}, chores)

async function perform({ call: id, name, ask }: Request): Promise<Requests[typeof name]['answer']> {
  if (name === 'open') return await open(id, ask)
  const call = calls.get(id)
  if (!call) throw new Error('no such call')
  const now = performance.now()
  if (name === 'expect') call.relay.expect(ask.side, ask.description, now)
  if (name === 'setDirection') call.relay.setDirection(ask.side, ask.direction, now)
  if (name === 'stopTone') call.relay.stopTone(ask.side)
  if (name === 'startRecording') await call.startRecording(ask.path)
  if (name === 'stopRecording') return await call.stopRecording()
  if (name === 'playTone') {
    call.relay.playTone(ask.side, ask.wish, now)
    ring(call)
  }
  if (name === 'close') {
    calls.delete(id)
    ringing.delete(call)
    return await call.close()
  }
}

async function open(id: string, ask: Requests['open']['ask']): Promise<Requests['open']['answer']> {
  try {
    calls.set(id, await createCallMedia(ask, (event) => outbox.tell(id, event)))
    return {}
  } catch (error) {
    if (error instanceof PortTaken) return { taken: error.port }
    throw error
  }
}

function ring(call: CallMedia) {
  ringing.add(call)
  toneTimer ??= setInterval(playTones, packetMs)
  playTones()
}

function playTones() {
  const now = performance.now()
  for (const call of ringing) {
    call.relay.tick(now)
    if (!call.relay.playing()) ringing.delete(call)
  }
  if (ringing.size > 0) return
  clearInterval(toneTimer)
  toneTimer = undefined
}
