/** The media of one call inside its media thread: the relay with its sockets and its recording. */
import { createRelay, type Relay } from '../relay/relay.ts'
import { type Recorder, startRecorder } from '../sound/recorder.ts'
import type { MediaEvent, MediaResult, Requests } from './messages.ts'
import { openSockets } from './sockets.ts'

type OpenSockets = Awaited<ReturnType<typeof openSockets>>

export async function createCallMedia(
  { host, ports, silentAfterMs }: Requests['open']['input'],
  onEvent: (event: MediaEvent) => void,
) {
  const relay: Relay = createRelay({
    silentAfterMs,
    onEvent,
    send: (to, kind, packet, port, address) => opened.sockets[to][kind].send(packet, port, address),
  })
  const opened: OpenSockets = await openSockets(host, ports, (side, kind, packet, port, address) => {
    if (kind === 'rtp') relay.receiveRtp(side, packet, port, address, performance.now())
    else relay.receiveRtcp(side, packet, port, address, performance.now())
  })
  return { relay, ...createRecording(relay, onEvent, opened.close) }
}
export type CallMedia = Awaited<ReturnType<typeof createCallMedia>>

function createRecording(
  relay: Relay,
  onEvent: (event: MediaEvent) => void,
  closeSockets: () => Promise<void>,
) {
  let recorder: Recorder | undefined
  let isFailureReported = false
  let late = 0

  async function startRecording(path: string) {
    if (recorder) throw new Error('already recording')
    isFailureReported = false
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

  /** Detects silence and writes the recording; to be called a few times per second. */
  function tick(now: number) {
    relay.checkSilence(now)
    recorder?.flush(now)
    const failure = recorder?.failure()
    if (failure !== undefined) reportFailure(failure)
  }

  function reportFailure(failure: unknown) {
    if (isFailureReported) return
    isFailureReported = true
    onEvent({ type: 'recordingFailed', reason: failure instanceof Error ? failure.message : String(failure) })
  }

  /** Closes the sockets even if the recording fails. */
  async function close(): Promise<MediaResult> {
    const at = performance.now()
    await closeSockets()
    const recording = recorder ? await stopRecording(at).catch(reportFailure) : undefined
    return {
      statistics: { ...relay.statistics(), lateForRecording: late },
      recording: recording ?? undefined,
    }
  }

  return { startRecording, stopRecording, tick, close }
}
