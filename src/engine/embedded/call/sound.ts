/** A call's sound as its legs see it: descriptions in and out, tones, a recording. */
import { randomInt } from 'node:crypto'
import { type CodecName, codecNames } from '../../media/codecs/registry.ts'
import type { Media } from '../../media/media.ts'
import type { Description, SideName } from '../../media/relay/side.ts'
import type { WavFile } from '../../media/sound/wav.ts'
import type { MediaEvent } from '../../media/thread/messages.ts'
import { answer as answerOffer } from '../../sip/sdp/answer.ts'
import { offer as makeOffer } from '../../sip/sdp/offer.ts'
import type { Sdp } from '../../sip/sdp/sdp.ts'
import { readTerms, type Terms } from '../../sip/sdp/terms.ts'
import { succeed } from '../../sip/sdp/write.ts'
import { isBehindNat } from './nat.ts'

/** As much of it as one call uses. */
export type SoundMedia = Pick<
  Media,
  'open' | 'expect' | 'playRingback' | 'stopTone' | 'startRecording' | 'close'
>

type Options = {
  media: SoundMedia
  callId: string
  /** The address others are told to send to. */
  address: string
  /** A side has not been heard for a while, or is heard again. */
  onSilence: (silent: ReadonlySet<SideName>) => void
  /** The sound is gone and will not come back. */
  onLost: (why: unknown) => void
  /** The call goes on without. */
  onRecordingFailed: (reason: string) => void
}

export async function openSound({ media, callId, address, onSilence, onLost, onRecordingFailed }: Options) {
  const silent = new Set<SideName>()
  const said = new Map<SideName, Sdp>()
  const chosen = new Map<SideName, CodecName>()
  let closed = false
  let recording = false

  const { ports } = await media.open(callId, hear)

  function hear(event: MediaEvent) {
    if (event.type === 'lost') fail(new Error('the media thread ended'))
    else if (event.type === 'recordingFailed') onRecordingFailed(event.reason)
    else if (event.type === 'resumed' && silent.delete(event.side)) onSilence(silent)
    else if (event.type === 'silent') onSilence(silent.add(event.side))
  }

  function fail(why: unknown) {
    if (!closed) onLost(why)
  }

  function tell(doing: Promise<unknown>) {
    doing.catch(fail)
  }

  function say(side: SideName, description: Sdp): Sdp {
    const before = said.get(side)
    const next = before ? succeed(before, description) : description
    said.set(side, next)
    return next
  }

  const originOf = (side: SideName) =>
    said.get(side)?.origin ?? { username: '-', sessionId: String(randomInt(2 ** 47)), version: '1', address }

  /** The codec the other side chose comes first: nothing need be converted then. */
  function codecsFor(side: SideName): CodecName[] {
    const first = chosen.get(side) ?? chosen.get(peerOf(side))
    return first ? [first, ...codecNames.filter((codec) => codec !== first)] : [...codecNames]
  }

  function take(side: SideName, terms: Terms, from: string) {
    chosen.set(side, terms.codec)
    tell(media.expect(callId, side, describe(terms, from)))
  }

  return {
    /** `allowed` are the codecs the other end is known to take. */
    offer(side: SideName, allowed = codecNames): Sdp {
      const codecs = codecsFor(side).filter((codec) => allowed.includes(codec))
      return say(side, makeOffer({ origin: originOf(side), address, port: ports[side], codecs }))
    },
    /** What a side offers, answered; undefined if there is nothing we could talk over. `from` is where it signals from. */
    answer(side: SideName, offered: Sdp, from: string): Sdp | undefined {
      const made = answerOffer(offered, { origin: originOf(side), address, port: ports[side] })
      if (!made) return undefined
      take(side, made.terms, from)
      return say(side, made.sdp)
    },
    /** The answer to an offer of ours; false if it is none we could talk over. */
    settle(side: SideName, answered: Sdp, from: string): boolean {
      const terms = readTerms(answered)
      if (terms) take(side, terms, from)
      return terms !== undefined
    },
    playRingback: (side: SideName) => tell(media.playRingback(callId, side)),
    stopTone: (side: SideName) => tell(media.stopTone(callId, side)),
    record(path: string) {
      recording = true
      media.startRecording(callId, path).catch((error: unknown) => onRecordingFailed(String(error)))
    },
    /** Gives the ports back; with what was recorded. */
    async close(): Promise<WavFile | undefined> {
      closed = true
      const { recording: file } = await media.close(callId)
      return recording ? file : undefined
    },
  }
}
export type Sound = Awaited<ReturnType<typeof openSound>>

const peerOf = (side: SideName): SideName => (side === 'extension' ? 'other' : 'extension')

function describe(terms: Terms, from: string): Description {
  const { address, port, codec, payloadType, telephoneEvent, direction, rtcp } = terms
  const keys =
    telephoneEvent === undefined ? [] : [{ number: telephoneEvent, codec: 'telephone-event' as const }]
  return {
    address,
    port,
    rtcpPort: rtcp.port,
    direction,
    behindNat: isBehindNat(address, from),
    payloads: [{ number: payloadType, codec }, ...keys],
  }
}
