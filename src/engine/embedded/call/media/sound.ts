/** The sound of a call: SDP offers and answers of its legs, tones, the recording. */
import { randomInt } from 'node:crypto'
import type { Log } from '../../../../kit/process/log.ts'
import type { CodecName } from '../../../../media/codecs/registry.ts'
import type { Media } from '../../../../media/media.ts'
import type { PlayRequest } from '../../../../media/relay/player.ts'
import type { KeyKind } from '../../../../media/relay/relay.ts'
import { type Description, receives, type SideName } from '../../../../media/relay/side.ts'
import { holdMusicName } from '../../../../media/sound/hold-music.ts'
import type { WavFile } from '../../../../media/sound/wav.ts'
import type { MediaEvent } from '../../../../media/thread/messages.ts'
import { answer as answerOffer } from '../../../../sip/sdp/answer.ts'
import { codecsIn } from '../../../../sip/sdp/codecs.ts'
import { offer as makeOffer } from '../../../../sip/sdp/offer.ts'
import type { ProtectionKind } from '../../../../sip/sdp/protection.ts'
import type { Sdp } from '../../../../sip/sdp/sdp.ts'
import { readTerms, type Terms } from '../../../../sip/sdp/terms.ts'
import { succeed } from '../../../../sip/sdp/write.ts'
import { sourceOf, type Target } from '../../../../sip/transport/flow.ts'
import type { CallQuality } from '../../../port.ts'
import { createReception } from '../reception.ts'
import type { CallerTrunk } from '../sender-check.ts'
import { createCodecChoice, peerOf } from './codec-choice.ts'
import { callQuality } from './leg-quality.ts'
import { describeLink, describeSide } from './media-description.ts'
import { acceptedIn, createSideProtection, type OfferedProtection } from './side-protection.ts'

/** The operations that a call uses. */
export type SoundMedia = Pick<
  Media,
  | 'fingerprint'
  | 'open'
  | 'expect'
  | 'playTone'
  | 'playRingback'
  | 'stopTone'
  | 'hasReceived'
  | 'pressKeys'
  | 'startRecording'
  | 'close'
>

type Options = {
  media: SoundMedia
  callId: string
  /** The address written into our SDP. */
  address: string
  /** Those of phones, in order of preference. */
  codecs: readonly CodecName[]
  /** Whether keys of SRTP are taken from SDP over connections without TLS. */
  allowsOpenKeys: boolean
  /** The set of silent sides changed. */
  onSilence: (silent: ReadonlySet<SideName>) => void
  /** The media thread ended, and the sound with it. */
  onLost: (why: unknown) => void
  /** The DTLS handshake of a side is over. */
  onConnected?: (side: SideName) => void
  /** The sound of a side cannot be protected as agreed. */
  onRefused: (side: SideName, reason: string) => void
  /** The call goes on without a recording. */
  onRecordingFailed: (reason: string) => void
  /** A key was pressed, sent as a telephone event or found in the sound. */
  onKey?: ((side: SideName, key: string, by: KeyKind) => void) | undefined
  /** Keys are looked for in the sound of all sides; by default of those without telephone events. */
  detectsKeys?: boolean
}

export async function openSound(options: Options) {
  const { media, callId, address, allowsOpenKeys } = options
  const { onSilence, onLost, onConnected, onRefused, onRecordingFailed } = options
  const { onKey, detectsKeys = false } = options
  const silent = new Set<SideName>()
  const reception = createReception()
  const ringback = new Set<SideName>()
  const sent = new Map<SideName, Sdp>()
  const choice = createCodecChoice(options.codecs)
  const withTelephoneEvents = new Set<SideName>()
  /** The protection that our last offer asked for, and the one that both sides agreed on. */
  const requested = new Map<SideName, OfferedProtection>()
  const agreed = new Map<SideName, ProtectionKind>()
  const trusted = new Map<SideName, readonly string[]>()
  /** D269: sides that do not receive at the moment, and sides that get music in the meantime. */
  const holding = new Set<SideName>()
  const held = new Set<SideName>()
  let isJoined = false
  let closed = false
  let recording = false
  let isUnrecorded = false

  const { host, ports } = await media.open(callId, onMedia)
  const protect = (side: SideName) =>
    createSideProtection({ fingerprint: media.fingerprint, address, port: ports[side] })
  const protections = { extension: protect('extension'), other: protect('other') }

  function onMedia(event: MediaEvent) {
    if (event.type === 'lost') fail(new Error('the media thread ended'))
    else if (event.type === 'refused') onRefused(event.side, event.reason)
    else if (event.type === 'dtmf') onKey?.(event.side, event.digit, event.by)
    else if (event.type === 'media') reception.onHeard(event.side)
    else if (event.type === 'connected') onSideConnected(event.side)
    else if (event.type === 'recordingFailed') failRecording(event.reason)
    else if (event.type === 'resumed' && silent.delete(event.side)) onSilence(silent)
    else if (event.type === 'silent') onSilence(silent.add(event.side))
  }

  function onSideConnected(side: SideName) {
    reception.onConnected(side)
    onConnected?.(side)
  }

  function failRecording(reason: string) {
    isUnrecorded = true
    onRecordingFailed(reason)
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

  /** D237: keys that stand in the SDP are worth nothing where everybody can read it (RFC 4568, 7). */
  function accepted({ transport }: Target): ProtectionKind[] {
    const isEncrypted = transport === 'tls' || transport === 'wss'
    return isEncrypted || allowsOpenKeys ? ['none', 'dtls', 'sdes'] : ['none', 'dtls']
  }

  /** `formats`: those in which the side may send. */
  function take(side: SideName, terms: Terms, formats: Terms['formats'], from: Target) {
    choice.choose(side, terms.codec)
    agreed.set(side, terms.protection.kind)
    reception.describe(side, terms)
    if (receives(terms.direction)) holding.delete(side)
    else holding.add(side)
    const hasTelephoneEvents = terms.telephoneEvent !== undefined
    if (hasTelephoneEvents) withTelephoneEvents.add(side)
    else withTelephoneEvents.delete(side)
    const description: Description = {
      ...describeSide(terms, formats, sourceOf(from).address, address),
      detectsKeys: detectsKeys || !hasTelephoneEvents,
      trusted: trusted.get(side),
      security: protections[side].agreed(terms.protection),
    }
    send(media.expect(callId, side, description))
    playToHeld(peerOf(side))
  }

  /** D269: a side gets music while its peer holds the call. */
  function playToHeld(side: SideName) {
    const isHeld = isJoined && holding.has(peerOf(side))
    if (isHeld === held.has(side)) return
    if (isHeld) {
      held.add(side)
      send(media.playTone(callId, side, { sound: holdMusicName, isRepeated: true }))
    } else {
      held.delete(side)
      send(media.stopTone(callId, side))
    }
  }

  return {
    /** Our offer; a later one asks for the protection that was agreed. */
    offer(side: SideName, callee?: Callee): Sdp {
      if (callee?.trusted) trusted.set(side, callee.trusted)
      if (callee) choice.limit(side, callee.codecs)
      const codecs = choice.offeredTo(side, callee?.expected)
      const kind = agreed.get(side) ?? callee?.protection ?? 'none'
      requested.set(side, kind)
      const transport = protections[side].offered(kind)
      const ours = { origin: originOf(side), address, port: ports[side], codecs, transport }
      return describeTo(side, makeOffer(ours))
    },
    /** Whether an offer can be answered. Its codecs are the first ones that the other side is offered. */
    considers(side: SideName, offered: Sdp, from: Target): boolean {
      const terms = readTerms(offered, choice.allowed(side), accepted(from))
      if (terms) choice.noteOffered(side, codecsIn(offered.media[terms.index]?.codecs ?? []))
      return terms !== undefined
    },
    /** Our answer to an offer; undefined without a common codec. `from` is where the side signals from. */
    answer(side: SideName, offered: Sdp, from: Target): Sdp | undefined {
      const ours = {
        origin: originOf(side),
        address,
        port: ports[side],
        protections: accepted(from),
        transport: protections[side].answered,
      }
      for (const codecs of choice.answeredTo(side)) {
        const made = answerOffer(offered, { ...ours, codecs })
        if (!made) continue
        // Our answer names one codec.
        take(side, made.terms, [made.terms], from)
        return describeTo(side, made.sdp)
      }
      return undefined
    },
    /** Takes the answer to our offer; false without a common codec or the protection that we offered. */
    settle(side: SideName, answered: Sdp, from: Target): boolean {
      const terms = readTerms(answered, choice.allowed(side), acceptedIn(requested.get(side) ?? 'none'))
      if (terms) take(side, terms, terms.formats, from)
      return terms !== undefined
    },
    /** The side is a carrier: the codecs of its trunk, and the networks from which it may send (D174). */
    limit(side: SideName, { codecs, trust }: CallerTrunk) {
      choice.limit(side, codecs)
      trusted.set(side, trust)
    },
    playTone: (side: SideName, tone: PlayRequest) => send(media.playTone(callId, side, tone)),
    /** The two sides talk; a side that holds already is on hold from now on. */
    join() {
      isJoined = true
      playToHeld('extension')
      playToHeld('other')
    },
    /** D318: the side is gone for now; its peer gets music, as if it held the call. */
    leave(side: SideName) {
      holding.add(side)
      playToHeld(peerOf(side))
    },
    /** Until the other side is heard; not at all if it was heard already. */
    playRingback(side: SideName) {
      if (!ringback.has(side) && !reception.isHeard(peerOf(side))) send(media.playRingback(callId, side))
      ringback.add(side)
    },
    /** A side that is held gets music again. */
    stopTone(side: SideName) {
      held.delete(side)
      send(media.stopTone(callId, side))
      playToHeld(side)
    },
    portOf: (side: SideName) => ports[side],
    codecOf: choice.codecOf,
    /** The side will be linked to another call, whose other party has this codec. */
    expectLink: (side: SideName, codec: CodecName | undefined) =>
      choice.noteOffered(side, codec ? [codec] : []),
    /** D282: the sound of a side comes from, and goes to, another call on this machine. */
    link(side: SideName, port: number) {
      choice.forget(side)
      agreed.delete(side)
      holding.delete(side)
      reception.link(side)
      withTelephoneEvents.add(side)
      send(media.expect(callId, side, describeLink(host, port)))
    },
    isConnected: reception.isConnected,
    /** D420: nothing ever came from a side that must send. */
    async isUnheard(side: SideName): Promise<boolean> {
      if (closed || !reception.mustSend(side) || reception.isHeard(side)) return false
      const received = await media.hasReceived(callId).catch(() => undefined)
      return received?.[side] === false
    },
    hasTelephoneEvents: (side: SideName) => withTelephoneEvents.has(side),
    pressKeys: (side: SideName, keys: string) => send(media.pressKeys(callId, side, keys)),
    record(path: string) {
      recording = true
      media.startRecording(callId, path).catch((error: unknown) => failRecording(String(error)))
    },
    /** Releases the ports; returns the recording, if there is one, and the quality of both sides. */
    async close(): Promise<ClosedSound> {
      closed = true
      const { recording: file, statistics } = await media.close(callId)
      const { received, reports } = statistics.extension
      const isUnheard = reception.mustSend('extension') && received.packets + reports === 0
      return { file: recording ? file : undefined, quality: callQuality(statistics), isUnheard, isUnrecorded }
    },
  }
}
type ClosedSound = {
  file: WavFile | undefined
  quality: CallQuality
  /** D420: nothing ever came from the extension's side, which had to send. */
  isUnheard: boolean
  /** D519: it was to be recorded, and could not be. */
  isUnrecorded: boolean
}
export type Sound = Awaited<ReturnType<typeof openSound>>

/** The recording, if there is one; a failure is only logged, since the call is over. */
export async function closeSafely(sound: Sound | undefined, log: Pick<Log, 'error'>, callId: string) {
  try {
    return await sound?.close()
  } catch (error) {
    log.error({ err: error, callId }, 'the sound of a call could not be closed')
    return undefined
  }
}

/** Whom an offer is for. */
type Callee = {
  /** Those that it takes; by default those of phones. */
  codecs?: readonly CodecName[]
  /** Those that the party it will talk to has. */
  expected?: readonly CodecName[] | undefined
  protection?: OfferedProtection
  /** Networks that it may send from. */
  trusted?: readonly string[]
}
