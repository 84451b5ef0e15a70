/** What the media threads and the thread of the service say to each other. */
import type { RelayEvent } from '../relay/relay.ts'
import type { Description, Direction, SideName, SideStatistics } from '../relay/side.ts'
import type { ToneWish } from '../relay/tone-player.ts'
import type { WavFile } from '../sound/wav.ts'
import type { SidePorts } from './sockets.ts'

export type MediaEvent = RelayEvent | { type: 'recordingFailed'; reason: string } | { type: 'lost' }

type CallStatistics = Record<SideName, SideStatistics> & {
  /** Packets that came too late for the recording. */
  lateForRecording: number
}

export type Closed = { statistics: CallStatistics; recording: WavFile | undefined }

/** Each request with what answers it. */
export type Requests = {
  open: { ask: { host: string; ports: SidePorts; silentAfter: number }; answer: { taken?: number } }
  expect: { ask: { side: SideName; description: Description }; answer: undefined }
  setDirection: { ask: { side: SideName; direction: Direction }; answer: undefined }
  playTone: { ask: { side: SideName; wish: ToneWish }; answer: undefined }
  stopTone: { ask: { side: SideName }; answer: undefined }
  startRecording: { ask: { path: string }; answer: undefined }
  stopRecording: { ask: Record<string, never>; answer: WavFile }
  close: { ask: Record<string, never>; answer: Closed }
}
export type RequestName = keyof Requests

export type Request = {
  [Name in RequestName]: { id: number; call: string; name: Name; ask: Requests[Name]['ask'] }
}[RequestName]

export type Answer = { id: number; answer?: Requests[RequestName]['answer']; failure?: string }

/** What was asked in one turn of the event loop. `heard`: the last batch of events has arrived, the next may be sent. */
export type ToThread = { requests: Request[]; heard: boolean }

/** `missed` counts events that found no room while the service was not listening. */
export type FromThread = { answers: Answer[]; events: { call: string; event: MediaEvent }[]; missed: number }
