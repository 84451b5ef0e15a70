/** A call of an endpoint, placed or received. */
import type { Timers } from '../../../kit/timers.ts'
import type { UserAgent } from '../../../sip/user-agent/user-agent.ts'
import type { AudioSource } from '../audio/audio-source.ts'
import { type CallAudio, openCallAudio } from '../audio/call-audio.ts'
import type { AudioReport } from '../audio/rtp-analyser.ts'

export type EndpointDeps = {
  userAgent: Pick<UserAgent, 'invite'>
  /** The numeric address at which we receive media. */
  host: string
  timers: Timers
  log: { warn(data: object, text: string): void }
}

export type CallEnd = {
  why:
    | 'they hung up'
    | 'we hung up'
    | 'they gave up'
    | 'they refused'
    | 'we refused'
    | 'no answer'
    | 'unreachable'
    | 'no common codec'
  status?: number | undefined
  q850?: number | undefined
  /** Undefined if no audio was ever opened. */
  heard: AudioReport | undefined
}

export type AudioOptions = {
  play: AudioSource
  /** A file for the received audio. */
  record?: string | undefined
  onDigit?(digit: string): void
}

export type EndpointCall = {
  readonly ended: Promise<CallEnd>
  /** Before and after the answer. */
  hangUp(): void
  press(digits: string): void
  heard(): AudioReport | undefined
}

/** Opens the audio of a call when it is first needed, and closes it when the call ends, which happens once. */
export function createCallLifetime(
  { host, timers, log }: Omit<EndpointDeps, 'userAgent'>,
  options: Omit<AudioOptions, 'play'>,
) {
  const { promise: ended, resolve } = Promise.withResolvers<CallEnd>()
  let opening: Promise<CallAudio> | undefined
  let audio: CallAudio | undefined
  let over = false

  async function open(): Promise<CallAudio> {
    const opened = await openCallAudio({
      host,
      timers,
      record: options.record,
      onDigit: (digit) => options.onDigit?.(digit),
    })
    audio = opened
    return opened
  }

  async function close(): Promise<AudioReport | undefined> {
    try {
      return await (await opening)?.close()
    } catch (error) {
      log.warn({ err: error }, 'the audio of a call was not saved')
      return audio?.heard()
    }
  }

  return {
    ended,
    isOver: () => over,
    audio: (): Promise<CallAudio> => (opening ??= open()),
    finish(end: Omit<CallEnd, 'heard'>) {
      if (over) return
      over = true
      void close().then((heard) => resolve({ ...end, heard }))
    },
    press: (digits: string) => audio?.press(digits),
    heard: () => audio?.heard(),
  }
}
