/** The sound of a call: SDP offers and answers of its legs, tones, the recording. */
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
import { mediaAddress } from './media-address.ts'

/** The operations that a call uses. */
export type SoundMedia = Pick<
  Media,
  'open' | 'expect' | 'playRingback' | 'stopTone' | 'startRecording' | 'close'
>

type Options = {
  media: SoundMedia
  callId: string
  /** The address written into our SDP. */
  address: string
  /** The set of silent sides changed. */
  onSilence: (silent: ReadonlySet<SideName>) => void
  /** The media thread ended, and the sound with it. */
  onLost: (why: unknown) => void
  /** The call goes on without a recording. */
  onRecordingFailed: (reason: string) => void
}

export async function openSound({ media, callId, address, onSilence, onLost, onRecordingFailed }: Options) {
  const silent = new Set<SideName>()
  const sent = new Map<SideName, Sdp>()
  const chosen = new Map<SideName, CodecName>()
  let closed = false
  let recording = false

  const { ports } = await media.open(callId, onMedia)

  function onMedia(event: MediaEvent) {
    if (event.type === 'lost') fail(new Error('the media thread ended'))
    else if (event.type === 'recordingFailed') onRecordingFailed(event.reason)
    else if (event.type === 'resumed' && silent.delete(event.side)) onSilence(silent)
    else if (event.type === 'silent') onSilence(silent.add(event.side))
  }

  function fail(why: unknown) {
    if (!closed) onLost(why)
  }

  /** A command that fails means that the media thread ended. */
  function send(command: Promise<unknown>) {
    command.catch(fail)
  }

  /** Remembers our description for a side; a changed one gets the next version (RFC 3264, 8). */
  function describeTo(side: SideName, description: Sdp): Sdp {
    const before = sent.get(side)
    const next = before ? succeed(before, description) : description
    sent.set(side, next)
    return next
  }

  const originOf = (side: SideName) =>
    sent.get(side)?.origin ?? { username: '-', sessionId: String(randomInt(2 ** 47)), version: '1', address }

  /** The codec of the other side comes first, which avoids conversion. */
  function codecsFor(side: SideName): CodecName[] {
    const first = chosen.get(side) ?? chosen.get(peerOf(side))
    return first ? [first, ...codecNames.filter((codec) => codec !== first)] : [...codecNames]
  }

  function take(side: SideName, terms: Terms, from: string) {
    chosen.set(side, terms.codec)
    send(media.expect(callId, side, describe(terms, from, address)))
  }

  return {
    /** `allowed`: the codecs that the callee takes. */
    offer(side: SideName, allowed = codecNames): Sdp {
      const codecs = codecsFor(side).filter((codec) => allowed.includes(codec))
      return describeTo(side, makeOffer({ origin: originOf(side), address, port: ports[side], codecs }))
    },
    /** Our answer to an offer; undefined without a common codec. `from` is the address the side signals from. */
    answer(side: SideName, offered: Sdp, from: string): Sdp | undefined {
      const made = answerOffer(offered, { origin: originOf(side), address, port: ports[side] })
      if (!made) return undefined
      take(side, made.terms, from)
      return describeTo(side, made.sdp)
    },
    /** Takes the answer to our offer; false without a common codec. */
    settle(side: SideName, answered: Sdp, from: string): boolean {
      const terms = readTerms(answered)
      if (terms) take(side, terms, from)
      return terms !== undefined
    },
    playRingback: (side: SideName) => send(media.playRingback(callId, side)),
    stopTone: (side: SideName) => send(media.stopTone(callId, side)),
    record(path: string) {
      recording = true
      media.startRecording(callId, path).catch((error: unknown) => onRecordingFailed(String(error)))
    },
    /** Releases the ports; returns the recording, if there is one. */
    async close(): Promise<WavFile | undefined> {
      closed = true
      const { recording: file } = await media.close(callId)
      return recording ? file : undefined
    },
  }
}
export type Sound = Awaited<ReturnType<typeof openSound>>

const peerOf = (side: SideName): SideName => (side === 'extension' ? 'other' : 'extension')

function describe(terms: Terms, signalsFrom: string, ownAddress: string): Description {
  const { port, codec, payloadType, telephoneEvent, direction, rtcp } = terms
  const keys =
    telephoneEvent === undefined ? [] : [{ number: telephoneEvent, codec: 'telephone-event' as const }]
  return {
    address: mediaAddress(terms.address, signalsFrom, ownAddress),
    port,
    signalsFrom,
    rtcpPort: rtcp.port,
    direction,
    payloads: [{ number: payloadType, codec }, ...keys],
  }
}
