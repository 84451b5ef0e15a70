/** A call at our end, placed or received: it has a voice, and ends once. */
import type { Timers } from '../../../kit/timers.ts'
import type { UserAgent } from '../../sip/dialog/leg.ts'
import type { Play } from '../audio/audio-source.ts'
import { openVoice, type Voice } from '../audio/call-audio.ts'
import type { Heard } from '../audio/rtp-analyser.ts'

export type EndpointDeps = {
  userAgent: Pick<UserAgent, 'invite'>
  /** Where our sound is sent to; numeric. */
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
  /** Undefined when it never came to any sound. */
  heard: Heard | undefined
}

export type SoundWish = {
  play: Play
  /** A file for what is heard. */
  record?: string | undefined
  onDigit?(digit: string): void
}

export type EndpointCall = {
  readonly ended: Promise<CallEnd>
  /** At any stage. */
  hangUp(): void
  press(keys: string): void
  heard(): Heard | undefined
}

/** What both kinds of call share: a voice opened when first needed and closed at the end, which comes once. */
export function createEnding(
  { host, timers, log }: Omit<EndpointDeps, 'userAgent'>,
  wish: Omit<SoundWish, 'play'>,
) {
  const { promise: ended, resolve } = Promise.withResolvers<CallEnd>()
  let opening: Promise<Voice> | undefined
  let voice: Voice | undefined
  let over = false

  async function open(): Promise<Voice> {
    const opened = await openVoice({
      host,
      timers,
      record: wish.record,
      onDigit: (digit) => wish.onDigit?.(digit),
    })
    voice = opened
    return opened
  }

  async function close(): Promise<Heard | undefined> {
    try {
      return await (await opening)?.close()
    } catch (error) {
      log.warn({ err: error }, 'the sound of a call was not kept')
      return voice?.heard()
    }
  }

  return {
    ended,
    isOver: () => over,
    voice: (): Promise<Voice> => (opening ??= open()),
    finish(end: Omit<CallEnd, 'heard'>) {
      if (over) return
      over = true
      void close().then((heard) => resolve({ ...end, heard }))
    },
    press: (keys: string) => voice?.press(keys),
    heard: () => voice?.heard(),
  }
}
