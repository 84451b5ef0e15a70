/** The messages between the media threads and the main thread of the service. */
import type { Identity } from '../dtls/certificate.ts'
import type { PlayRequest, Sounds } from '../relay/player.ts'
import type { RelayEvent } from '../relay/relay.ts'
import type { Description, Direction, SideName, SideStatistics } from '../relay/side.ts'
import type { WavFile } from '../sound/wav.ts'
import type { UdpKind } from '../udp/choose-udp.ts'
import type { LoadState } from './load-state.ts'
import type { SidePorts } from './sockets.ts'

/** What a media thread gets at its start. */
export type ThreadData = {
  /** The certificate of this process. */
  identity: Identity
  /** Those that can be played to a side. */
  sounds: Sounds
  sockets: UdpKind
  /** The mark of its packets. */
  dscp: number
  loadState: LoadState
}

export type MediaEvent =
  | RelayEvent
  /** The side's sound cannot be protected as agreed, such as by a certificate that is not the one of its SDP. */
  | { type: 'refused'; side: SideName; reason: string }
  /** The DTLS handshake of the side is over: sound can flow. */
  | { type: 'connected'; side: SideName }
  | { type: 'recordingFailed'; reason: string }
  | { type: 'lost' }

/** `droppedByKernel`: packets that the thread did not read in time; undefined where the kernel does not say. */
export type LegStatistics = SideStatistics & { droppedByKernel: number | undefined }
type CallStatistics = Record<SideName, LegStatistics> & {
  /** Packets that came too late for the recording. */
  lateForRecording: number
}

/** What is left of a call's media once it is closed. */
export type MediaResult = { statistics: CallStatistics; recording: WavFile | undefined }

/** Each request with its answer. */
export type Requests = {
  open: {
    input: { host: string; ports: SidePorts; silentAfterMs: number }
    answer: { portInUse?: number }
  }
  expect: { input: { side: SideName; description: Description }; answer: undefined }
  setDirection: { input: { side: SideName; direction: Direction }; answer: undefined }
  playTone: { input: { side: SideName; request: PlayRequest }; answer: undefined }
  pressKeys: { input: { side: SideName; keys: string }; answer: undefined }
  hasReceived: { input: Record<string, never>; answer: Record<SideName, boolean> }
  stopTone: { input: { side: SideName }; answer: undefined }
  startRecording: { input: { path: string }; answer: undefined }
  stopRecording: { input: Record<string, never>; answer: WavFile }
  close: { input: Record<string, never>; answer: MediaResult }
}
export type RequestName = keyof Requests

export type Request = {
  [Name in RequestName]: { id: number; call: string; name: Name; input: Requests[Name]['input'] }
}[RequestName]

export type Answer = { id: number; answer?: Requests[RequestName]['answer']; failure?: string }

/** The requests of one turn of the event loop. `acknowledgesEvents` asks for the next batch of events. */
export type ToThread = { requests: Request[]; acknowledgesEvents: boolean }

/** `missed` counts the events dropped because the queue was full. */
export type FromThread = { answers: Answer[]; events: { call: string; event: MediaEvent }[]; missed: number }
