/** The media of one call inside its media thread: the relay with its sockets and its recording. */
import { createRelay, type Relay } from '../relay/relay.ts'
import type { Description, SideName } from '../relay/side.ts'
import type { HandshakeQueue } from '../secure/handshake-queue.ts'
import { createSecuredSide, type SecuredSide } from '../secure/secured-side.ts'
import { type Recorder, startRecorder } from '../sound/recorder.ts'
import type { Udp } from '../udp/port.ts'
import type { MediaEvent, MediaResult, Requests, ThreadData } from './messages.ts'
import { openSockets } from './sockets.ts'

/** What the calls of a thread share. */
type ThreadParts = Pick<ThreadData, 'identity' | 'sounds'> & { udp: Udp; handshakes: HandshakeQueue }
type OpenSockets = Awaited<ReturnType<typeof openSockets>>

export async function createCallMedia(
  { host, ports, silentAfterMs }: Requests['open']['input'],
  { udp, identity, sounds, handshakes }: ThreadParts,
  onEvent: (event: MediaEvent) => void,
) {
  const relay: Relay = createRelay({
    silentAfterMs,
    sounds,
    onEvent,
    send(to, kind, packet, port, address, now) {
      const socket = relay.isRtcpMuxed(to) ? 'rtp' : kind
      const sent = secured[to].seal(socket, packet, kind, now)
      if (sent) opened.sockets[to][socket].send(sent, port, address)
    },
  })
  const createSecured = (side: SideName): SecuredSide =>
    createSecuredSide({
      identity,
      handshakes,
      send: (socket, datagram, port, address) => opened.sockets[side][socket].send(datagram, port, address),
      onProven: (port, address) => relay.prove(side, port, address),
      onConnected: () => onEvent({ type: 'connected', side }),
      onRefused: (reason) => onEvent({ type: 'refused', side, reason }),
    })
  const secured = { extension: createSecured('extension'), other: createSecured('other') }
  const opened: OpenSockets = await openSockets(
    udp,
    host,
    ports,
    (side, socket, packet, port, address, arrivedAt) => {
      const now = performance.now()
      const clear = secured[side].isSecured()
        ? secured[side].open(socket, packet, port, address, now)
        : { kind: socket, packet }
      if (!clear) return
      if (clear.kind === 'rtp') relay.receiveRtp(side, clear.packet, port, address, now, arrivedAt)
      else relay.receiveRtcp(side, clear.packet, port, address, now)
    },
  )
  const recording = createRecording(relay, onEvent, {
    dropped: opened.dropped,
    async close() {
      secured.extension.close()
      secured.other.close()
      await opened.close()
    },
  })
  return {
    relay,
    ...recording,
    /** Takes the media part of a side's SDP. */
    expect(side: SideName, { security, ...description }: Description, now: number) {
      opened.sockets[side].rtp.follow(undefined)
      relay.expect(side, description, now)
      secured[side].expect(security, [description.address, description.signalsFrom ?? description.address])
    },
    /** Detects silence, repeats handshakes and writes the recording; to be called a few times per second. */
    tick(now: number) {
      opened.sockets.extension.rtp.follow(relay.flowingFrom('extension', now))
      opened.sockets.other.rtp.follow(relay.flowingFrom('other', now))
      secured.extension.tick(now)
      secured.other.tick(now)
      recording.tick(now)
    },
  }
}
export type CallMedia = Awaited<ReturnType<typeof createCallMedia>>

function createRecording(
  relay: Relay,
  onEvent: (event: MediaEvent) => void,
  sockets: Pick<OpenSockets, 'dropped' | 'close'>,
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
    await sockets.close()
    const recording = recorder ? await stopRecording(at).catch(reportFailure) : undefined
    const { extension, other } = relay.statistics()
    return {
      statistics: {
        extension: { ...extension, droppedByKernel: sockets.dropped('extension') },
        other: { ...other, droppedByKernel: sockets.dropped('other') },
        lateForRecording: late,
      },
      recording: recording ?? undefined,
    }
  }

  return { startRecording, stopRecording, tick, close }
}
