/** What a call needs from the rest of the engine, and what it needs from its A leg. */
import type { Cause } from '../../../contract/calls/causes.ts'
import type { Clock } from '../../../kit/clock.ts'
import type { Log } from '../../../kit/process/log.ts'
import type { Timers } from '../../../kit/timers.ts'
import type { SideName } from '../../../media/relay/side.ts'
import type { Leg, Refer } from '../../../sip/dialog/leg.ts'
import type { IncomingRequest } from '../../../sip/transaction/transactions.ts'
import type { UserAgent } from '../../../sip/user-agent/user-agent.ts'
import type { AcceptedCall, CallEvent, CallQuality, ExtensionName } from '../../port.ts'
import type { Spool } from '../spool.ts'
import type { CallTraces } from '../trace/call-traces.ts'
import type { Forward } from './forwarding.ts'
import type { AnnouncementLegs } from './media/announcement-legs.ts'
import type { CallCodecs } from './media/codec-choice.ts'
import type { FailureSound } from './media/failure-sounds.ts'
import type { SoundMedia } from './media/sound.ts'
import type { FindRoutes } from './routes.ts'

export type CallDeps = {
  userAgent: UserAgent
  media: SoundMedia
  /** The address written into our SDP. */
  address: string
  codecs: CallCodecs
  /** Whether keys of SRTP are taken from SDP over connections without TLS. */
  allowsOpenKeys: boolean
  timers: Timers
  clock: Clock
  log: Log
  findRoutes: FindRoutes
  spool: Pick<Spool, 'pathOf' | 'toRecording'>
  emit(event: CallEvent): void
  /** The media time-out (D123). */
  mediaSeconds: number
  /** D229: a call could not be recorded. */
  onUnrecorded?(): void
  /** D284: the sound of a call is over. */
  onMeasured?(quality: CallQuality): void
  /** D270: the sound that says why a destination could not be reached; without it, agents are hung up at once. */
  failureSound?(cause: Cause): FailureSound | undefined
  announcementLegs?: Pick<AnnouncementLegs, 'add'>
  /** D282: a side of a call is to be replaced by somebody else; returns the status of the answer. */
  onRefer(callId: string, side: SideName, refer: Refer): number
  /** D318: how long a call waits for a phone whose connection was lost; by default not at all. */
  awaySeconds?: number
  /** D273: admits the target of a phone that redirects its call; without it, redirects are not followed. */
  forward?: Forward | undefined
  /** D660: collects the SIP messages of calls; without it, none are kept. */
  traces?: Pick<CallTraces, 'addDialog' | 'end'> | undefined
  /** A request of a dialog from an address that is not its peer's (D183); without an extension the peer is a carrier. */
  authorise(extension: ExtensionName | undefined, incoming: IncomingRequest, accept: () => void): void
}

/** What the A leg does when the B leg changes. An A leg we dialled and one that dialled us differ in it. */
export type ALeg = {
  /** Undefined where another call is linked (D282). */
  leg: Pick<Leg, 'callId' | 'identify' | 'info' | 'offer'> | undefined
  onRinging(): void
  onEarlyMedia(): void
  /** The B leg answered. False if the A leg cannot be connected to it. */
  connect(): boolean
  /** It is answered before the B leg is dialled, so that a sound can say why that failed. */
  isAnswered?: boolean
  end(cause: Cause): void
}

/** An A leg that is not there. */
export const unconnected: Omit<ALeg, 'end'> = {
  leg: undefined,
  onRinging() {},
  onEarlyMedia() {},
  connect: () => false,
}

/**
 * `aSide` is the side of the A leg, `caller` its extension; without, it is a carrier's. `isPrivate`: D268. `referredBy`: who
 * transfers to it (D641).
 */
export type NewCall = AcceptedCall & {
  aSide: SideName
  caller: ExtensionName | undefined
  isPrivate?: boolean
  referredBy?: ExtensionName
}
