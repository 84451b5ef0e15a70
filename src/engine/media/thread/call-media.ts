/** One call in its media thread: the relay joined to its sockets and its recording. */

import { createRelay, type Relay } from '../relay/relay.ts'
import { type Recorder, startRecorder } from '../sound/recorder.ts'
import type { Closed, MediaEvent, Requests } from './messages.ts'
import { openSockets } from './sockets.ts'

type Opened = Awaited<ReturnType<typeof openSockets>>

export async function createCallMedia(
  { host, ports, silentAfter }: Requests['open']['ask'],
  tell: (event: MediaEvent) => void,
) {
  const relay: Relay = createRelay({
    silentAfter,
    tell,
    send: (to, wire, packet, port, address) => opened.sockets[to][wire].send(packet, port, address),
  })
  const opened: Opened = await openSockets(host, ports, (side, wire, packet, port, address) => {
    if (wire === 'rtp') relay.takeRtp(side, packet, port, address, performance.now())
    else relay.takeRtcp(side, packet, port, address)
  })
  return { relay, ...createRecording(relay, tell, opened.close) }
}
export type CallMedia = Awaited<ReturnType<typeof createCallMedia>>

function createRecording(relay: Relay, tell: (event: MediaEvent) => void, closeSockets: () => Promise<void>) {
  let recorder: Recorder | undefined
  let toldFailure = false
  let late = 0

  async function startRecording(path: string) {
    if (recorder) throw new Error('already recording')
    toldFailure = false
    const started = startRecorder(path, performance.now())
    recorder = started
    relay.record(started)
    try {
      await started.opened
    } catch (error) {
      if (recorder === started) recorder = undefined
      relay.record(recorder)
      throw error
    }
  }

  async function stopRecording(at = performance.now()) {
    if (!recorder) throw new Error('not recording')
    const ended = recorder
    recorder = undefined
    relay.record(undefined)
    late += ended.late()
    return await ended.finish(at)
  }

  function doChores(now: number) {
    relay.checkSilence(now)
    recorder?.flush(now)
    const failure = recorder?.failure()
    if (failure !== undefined) tellFailure(failure)
  }

  function tellFailure(failure: unknown) {
    if (toldFailure) return
    toldFailure = true
    tell({ type: 'recordingFailed', reason: failure instanceof Error ? failure.message : String(failure) })
  }

  /** The sockets close whatever becomes of the recording. */
  async function close(): Promise<Closed> {
    const at = performance.now()
    await closeSockets()
    const recording = recorder ? await stopRecording(at).catch(tellFailure) : undefined
    return {
      statistics: { ...relay.statistics(), lateForRecording: late },
      recording: recording ?? undefined,
    }
  }

  return { startRecording, stopRecording, doChores, close }
}
