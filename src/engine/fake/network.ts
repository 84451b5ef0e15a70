/**
 * The world around a fake engine, which outlives it: trunks, calls in progress, recordings on disk. A second engine
 * on the same network is one started after the first was killed.
 */
import { Readable } from 'node:stream'
import type { Timer } from '../../kit/timers.ts'
import { wavHeader } from '../../media/sound/wav.ts'
import type {
  AbandonedRecording,
  CallQuality,
  Destination,
  KeyPress,
  Party,
  Recording,
  TimeLimits,
  TrunkShare,
} from '../port.ts'

export type Stage = 'placed' | 'ringing' | 'dialling' | 'talking'

export type FakeCall = {
  callId: string
  stage: Stage
  limits: TimeLimits
  destination: Destination
  presented: Party | undefined
  record: boolean
  keys: KeyPress[]
  quality?: CallQuality
  /** D282: a call with which this one ends, and the one that it is to be connected to. */
  linkedTo?: string | undefined
  transferOf?: string | undefined
  /** From a carrier: the extension is the called side. */
  fromCarrier: boolean
  trunk?: FakeTrunk | undefined
  answeredAt?: Date
  timer?: Timer | undefined
  silent: Set<'extension' | 'other'>
  silenceTimer?: Timer | undefined
}

/** `failing`: answers every INVITE with 503. */
export type FakeTrunk = {
  name: string
  channels: number
  used: number
  begun: number
  failing: boolean
  callerId?: string | undefined
}

/** Silence is enough: it has the right length. */
const samplesPerSecond = 8000
const frameBytes = 4
const chunkFrames = 8000

export function createFakeNetwork() {
  const calls = new Map<string, FakeCall>()
  const recordings = new Map<string, AbandonedRecording>()
  const trunks: FakeTrunk[] = [
    { name: 'main', channels: 1_000_000, used: 0, begun: 0, failing: false, callerId: '554830000000' },
    { name: 'spare', channels: 1_000_000, used: 0, begun: 0, failing: false },
  ]

  let shares: ReadonlyMap<string, TrunkShare> | undefined

  /** D118: the first trunk that works and has a free channel. */
  function takeTrunk(): FakeTrunk | undefined {
    const trunk = trunks.find((one) => !one.failing && one.used < channelsOf(one))
    if (!trunk) return undefined
    trunk.used += 1
    trunk.begun += 1
    return trunk
  }

  const channelsOf = ({ name, channels }: FakeTrunk) => shares?.get(name)?.channels ?? channels

  function record(callId: string, seconds: number, lastWriteAt: Date): Recording {
    const frames = Math.round(seconds * samplesPerSecond)
    const recording = {
      seconds,
      bytes: 44 + frames * frameBytes,
      async open() {
        if (!recordings.has(callId)) throw new Error(`the recording of ${callId} was discarded`)
        return Readable.from(silence(frames))
      },
      discard: async () => void recordings.delete(callId),
    }
    recordings.set(callId, { callId, lastWriteAt, recording })
    return recording
  }

  return {
    calls,
    recordings,
    trunks,
    takeTrunk,
    /** Duty 15. A call holds its trunk, also one that is no longer listed. */
    setTrunks(wanted: readonly { name: string; channels: number; callerId?: string | undefined }[]) {
      const before = trunks.splice(0)
      for (const { name, channels, callerId } of wanted) {
        const trunk = before.find((one) => one.name === name) ?? { name, used: 0, begun: 0, failing: false }
        trunks.push(Object.assign(trunk, { channels, callerId }))
      }
    },
    limitTrunks(limits: typeof shares) {
      shares = limits
    },
    record,
  }
}
export type FakeNetwork = ReturnType<typeof createFakeNetwork>

function* silence(frames: number) {
  yield wavHeader(frames)
  for (let left = frames; left > 0; left -= chunkFrames) {
    yield Buffer.alloc(Math.min(left, chunkFrames) * frameBytes)
  }
}
