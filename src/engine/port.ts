/**
 * The voice port: all that the rest of the service knows about telephony. An engine (the embedded one, or an
 * adapter to another SIP server) rings extensions, dials destinations and connects them. It reports by events, and
 * asks its host for what it must know.
 *
 * Duties of every engine, tested by `contract-suite.ts`; what phones of others see of 12 to 14, in `test/sip`:
 *
 *   1. Events of one call come in the order of `CallEvent`, each at most once; `ended` always comes, and is the last.
 *   2. `start` hangs up every call that an earlier process of this node left behind. No event is emitted for them:
 *      the host ends them by the node's lease. Otherwise they would go on unbilled. They are never in `liveCalls`.
 *   3. Registrations known before a restart are usable after `start`, by `host.registrations` or by the engine's
 *      own storage.
 *   4. D76: an extension has one phone. The newest REGISTER with the right password wins, `displaced` is emitted,
 *      and the displaced phone is refused until its user acts.
 *   5. D77: the INVITE to the extension of a placed call carries `X-Api4comintegratedcall: true` and `X-Call-Id`,
 *      with AUTO_ANSWER also `Alert-Info` and `Call-Info`.
 *   6. D111: an unknown extension is refused like a wrong password, in the same time.
 *   7. D118: trunks are tried by priority and weight. The next one is tried after 5 s of silence or a 500, 502, 503
 *      or 504, never once the destination rang. Channels and calls per second are limited for each trunk.
 *   8. D123: a call ends with MEDIA_TIMEOUT when no sound came from either side for MEDIA_SECONDS; one silent side
 *      does not end it, unless it is a phone of which nothing came within 30 s of its answer (D420).
 *   9. The destination is shown `presented`; without it the trunk's own number.
 *  10. A recording begins when the destination answers. It is a stereo WAV: the extension on the left channel, the
 *      other side on the right.
 *  11. D188: `callForCode` dials over the trunks as duty 7 says, presents the trunk's own number, asks for the code by
 *      tones and takes keys as telephone events (RFC 4733), as INFO and as tones. `*` and `#` begin a new try.
 *  12. D280: keys reach the other side in the form that it negotiated, whichever form they come in.
 *  13. D248: while it drains, phones and carriers get 503 with Retry-After for new calls and registrations. Phones on
 *      connections are disconnected a few a second, not those in a call. Live calls go on.
 *  14. D282: a phone transfers by REFER, blind and with Replaces. The second call has events of its own; the two end together.
 *  15. D624: trunks change while it runs. One that is no longer listed gets no new calls; its live calls go on.
 */
import type { Readable } from 'node:stream'
import type { Cause } from '../contract/calls/causes.ts'
import type { Maybe } from '../kit/maybe.ts'
import type { Peer, Transport } from '../sip/transport/flow.ts'
import type { SipUpgrade } from '../sip/transport/upgrade.ts'
import type { TrunkSettings } from './trunk-settings/trunk-settings.ts'

/** A SIP user. Numbers are unique only within the domain of an account. */
export type ExtensionName = { domain: string; number: string }

export type Credentials = {
  password: string
  /** D181: address blocks at which the extension has authenticated before, as `onKnownAddresses` reported them. */
  knownAddresses?: readonly string[]
  /** D616: its account is suspended. A phone with the right password is refused all the same, with that reason. */
  isSuspended?: true
}

/** D312: what the user name of a browser's phone says: until which second of the epoch it works, and whose it is. */
export type TemporaryLogin = { until: number; userId: number }

/** What an engine must know of an extension to authenticate its phone. */
export type ExtensionAccount = { extension: ExtensionName; credentials: Credentials }

/** A number and a name for a phone's display. */
export type Party = { number: string; name?: string }

/** `number` is E.164 without plus. */
export type Destination = { number: string } | { extension: ExtensionName }

/**
 * In seconds: how long the extension rings, the destination rings, and the two may talk. An incoming call has no
 * `ring`: its called side rings for `answer`, also if that is an extension. `talk` is the engine's own limit. The host
 * may end a call earlier, when its credit is used up: the first of the two wins.
 */
export type TimeLimits = { ring: number; answer: number; talk: number }

/** Click to call: ring the extension, then dial the destination and connect the two. */
export type CallRequest = {
  /** Chosen by the host, and the only name of the call. */
  callId: string
  extension: ExtensionName
  /** Shown on the extension's phone while it rings. */
  shown: Party
  destination: Destination
  /** Shown to the destination. */
  presented: Party | undefined
  record: boolean
  limits: TimeLimits
}

/**
 * Duty 11: a call over the trunks in which the person who answers types a code. Of its own kind: no events, no recording, not
 * among the live calls.
 */
export type CodeCallRequest = {
  /** Chosen by the host. */
  callId: string
  /** E.164 without plus. */
  number: string
  /** Digits. */
  code: string
  /** Wrong codes after which the call ends. */
  maxTries: number
  /** In seconds: how long it rings, and how long the callee has to type. */
  limits: { answer: number; typing: number }
}

export type CodeCallResult = {
  outcome: 'typed' | 'wrong' | 'not typed' | 'not answered'
  cause: Cause
  answeredAt: Date | undefined
  endedAt: Date
}

/** A call that an extension's phone dialled, or that a carrier brings. */
export type IncomingCall = {
  from: { extension: ExtensionName } | { trunk: string; callerId: Party | undefined }
  /** As the phone or the carrier wrote it. */
  dialled: string
  /** The call that the extension transfers to it (D282); without, it is a call of its own. */
  transferOf?: string
}

/** The host stored the call and says where it goes. */
export type AcceptedCall = Pick<CallRequest, 'callId' | 'destination' | 'presented' | 'record' | 'limits'>

/** `phrase`: what the caller's phone may show instead of the usual words. */
export type RejectedCall = { rejected: Cause; phrase?: string }

/** In a call from a carrier, `extension` is the called side and `other` the carrier's. */
export type Side = 'extension' | 'other' | 'service'

/** A key (0 to 9, *, #, A to D) that a side pressed in a talk, or that the host sent to it. */
export type KeyPress = { at: Date; from: Side; to: Exclude<Side, 'service'>; key: string }

/** D284: what arrived of a leg's stream. Percent and milliseconds; `rFactor` from 0 to 93 (G.107). */
export type LegQuality = {
  packets: number
  lost: number
  /** D633: of those lost, the ones that reached this machine; undefined if that is not known. */
  droppedByKernel: number | undefined
  lossPercent: number
  jitterMs: number
  roundTripMs: number | undefined
  rFactor: number
}

/** Undefined for a leg from which nothing arrived. */
export type CallQuality = { extension: LegQuality | undefined; other: LegQuality | undefined }

/** Held by the engine until it is discarded, across restarts. */
export type Recording = {
  seconds: number
  bytes: number
  /** The whole WAV file; may be opened again until it is discarded. */
  open(): Promise<Readable>
  /**
   * Moves the file to `path`, on the disk at once and without a copy. False if that is impossible, as it is for an
   * engine on another machine; then `open` is used.
   */
  moveTo?(path: string): Promise<boolean>
  /** Deletes it. Discarding again does nothing. */
  discard(): Promise<void>
}

/** `lastWriteAt`: when sound was last added to it. */
export type AbandonedRecording = {
  callId: string
  lastWriteAt: Date
  recording: Recording
  /** D229: only if the file cannot be read as a recording: keeps it apart from the others, and returns where it is. */
  setAside?: () => Promise<string>
}

/**
 * In this order. A placed call has all of them. A call that a phone dialled begins with `extensionAnswered`; a call
 * from a carrier has only `ringing`, `answered` and `ended`.
 */
export type CallEvent = { callId: string; at: Date } & (
  | { type: 'ringing' }
  | { type: 'extensionAnswered' }
  | { type: 'progress' }
  | { type: 'answered' }
  /**
   * A side was replaced by the other side of the call `to`, with which this one ends. May come more than once, and for a
   * call of another node (D345).
   */
  | { type: 'transferred'; to: string }
  | {
      type: 'ended'
      cause: Cause
      by: Side
      recording?: Recording
      /** D519: it was to be recorded, and could not be. */
      unrecorded?: boolean
      keys?: KeyPress[]
      quality?: CallQuality
      /** D420: the two talked, and nothing ever came from the extension's phone. The call is not charged. */
      unheard?: boolean
      /** D557: set by the host alone, for a call that it did not hand to the engine. */
      isNotTaken?: boolean
    }
)

/** The phone of an extension. */
export type Registration = {
  extension: ExtensionName
  registeredAt: Date
  expiresAt: Date
  userAgent: string | undefined
  /** What the engine needs to reach the phone after a restart; opaque to the host. None if the engine stores it itself. */
  state?: string
}

export type RegistrationEvent =
  | { type: 'registered'; registration: Registration }
  /** Only the expiry or `state` changed. */
  | { type: 'refreshed'; registration: Registration }
  /** D502: kept by the engine beyond its expiry; its phone has not registered anew. */
  | { type: 'prolonged'; registration: Registration }
  | { type: 'displaced'; registration: Registration; by: { userAgent: string | undefined; address: string } }
  | { type: 'unregistered'; extension: ExtensionName }

/** A trunk of this node: its limits, which hold for all nodes together, and what this one uses. */
export type TrunkLoad = {
  name: string
  channels: number
  callsPerSecond: number
  used: number
  /** Outgoing calls so far. */
  begun: number
  /** What keeps it from working, in sentences for the operator; empty when it works. */
  problems: string[]
}

/** Response of one address of a carrier to OPTIONS; `status` is undefined if none came in time. */
export type TrunkResponse = {
  /** Host and port. */
  address: string
  status: number | undefined
  reason: string | undefined
  milliseconds: number
}

/** D250: what one node may use of a trunk. */
export type TrunkShare = { channels: number; callsPerSecond: number }

/** Another voice node of the fleet; `address` is its host and port for SIP. */
export type NodeAddress = { id: string; address: string }

/** The other end of a SIP dialog. */
export type SipParty = 'extension' | 'carrier' | 'node'

/** D660: a SIP message of a call. */
export type TracedMessage = {
  at: Date
  direction: 'sent' | 'received'
  /** The side of the call to which its dialog belongs. */
  side: Exclude<Side, 'service'>
  party: SipParty
  transport: Transport
  local: Peer
  remote: Peer
  /** One character a byte (Latin-1). Secrets are overwritten by `x`. */
  text: string
}

/** D660: the SIP messages of a call that is over, as this node saw them. `leftOut`: messages beyond what is kept. */
export type SipTrace = { callId: string; messages: TracedMessage[]; leftOut: number }

/** What an engine asks of its host, and reports to it. */
export type EngineHost = {
  /** Synchronous when cached. Of a temporary login undefined once it has ended, or its user may no longer use the extension. */
  credentials(extension: ExtensionName, login?: TemporaryLogin): Maybe<Credentials | undefined>
  /** All extensions, for an engine that must be provisioned before phones register. */
  extensions(): AsyncIterable<ExtensionAccount>
  /** Registrations that this node had before it was restarted. */
  registrations(): Promise<Registration[]>
  /** The other node at which the phone of an extension is registered; without this function there are no other nodes. */
  findNode?(extension: ExtensionName): Promise<NodeAddress | undefined>
  /** Stores the call before it resolves. */
  admitCall(call: IncomingCall): Promise<AcceptedCall | RejectedCall>
  /** Whether there are other voice nodes, at which phones may register too. */
  hasOtherNodes?(): boolean
  onCall(event: CallEvent): void
  /** D660: some seconds after `ended`. Without this function no messages are kept. */
  onTrace?: ((trace: SipTrace) => void) | undefined
  /** D181: a phone has authenticated at a new address; all that are known of its extension, the latest last. */
  onKnownAddresses?(extension: ExtensionName, blocks: readonly string[]): void
  /** Resolves once everybody can see it; the phone gets its answer then (D423). */
  onRegistration(event: RegistrationEvent): Maybe<void>
}

/**
 * `registration`, `liveCalls` and `hangUp` answer at once, by the state last known to the engine. An adapter to a
 * remote server mirrors that state from its events; while the mirror is stale, `problems` says so.
 */
export type VoiceEngine = {
  /** Duties 2 and 3; opens ports. Fails with a sentence for the operator. */
  start(): Promise<void>
  /** Returns at once; the first event comes after the return. */
  place(request: CallRequest): void
  /** Always resolves, at the latest when the engine stops. */
  callForCode(request: CodeCallRequest): Promise<CodeCallResult>
  /** At any stage. False if no such call is live here. Default cause: that of a caller who hangs up. */
  hangUp(callId: string, cause?: Cause): boolean
  /**
   * D282: dials a second call, whose id and destination are the host's; when it is answered, it takes the place of the
   * extension. False if the call cannot be transferred now: then there are no events of the second one.
   */
  transfer(callId: string, second: AcceptedCall): boolean
  /** Sends keys to a side. False unless the two sides of the call talk. */
  pressKeys(callId: string, to: KeyPress['to'], keys: string): boolean
  liveCalls(): string[]
  /** How many phones are in calls that another node has; left out by an engine without other nodes. */
  relayedCalls?(): number
  registration(extension: ExtensionName): Registration | undefined
  /** How many phones are registered here. */
  phones(): number
  /** While draining: how many of them may still go to another node; left out by an engine that cannot tell. */
  phonesToMove?(): number
  /**
   * An extension was created, or its password changed. Comes after `forget` if a phone may be registered. An engine
   * that looks credentials up when phones register may ignore it.
   */
  put(account: ExtensionAccount): void
  /** The number or password of an extension changed, or it was removed: its phone must register again. */
  forget(extension: ExtensionName): void
  /** The rights of a user changed: forgets phones that registered with a temporary login of theirs, unless it still works. */
  recheck(userId: number): void
  /**
   * Recordings of calls that are no longer live here: left by an earlier process of this node, or not discarded
   * after `ended`. One that may still be written to is left out.
   */
  abandonedRecordings(): AsyncIterable<AbandonedRecording>
  /** Where phones reach it, by protocol: `{ SIP: '192.0.2.1:5060' }`. */
  addresses(): Record<string, string>
  /** What keeps it from working, in sentences for the operator; empty when it works. */
  problems(): string[]
  /** Duty 13; until it is set to false. */
  setDraining(isDraining: boolean): void
  /** Those that other nodes may share. */
  trunks(): TrunkLoad[]
  /** By name; undefined if this node may use all of every trunk. */
  limitTrunks(shares: ReadonlyMap<string, TrunkShare> | undefined): void
  /** Duty 15: the trunks from now on, in place of those that it was made with; also before `start`. */
  setTrunks(trunks: readonly TrunkSettings[]): void
  /** Sends OPTIONS to every address of a trunk, whether it is in use or not. Empty if its name is not known to DNS. */
  testTrunk(trunk: TrunkSettings): Promise<TrunkResponse[]>
  /** Takes over the connection of a web phone; left out by an engine that has ports of its own only. */
  acceptUpgrade?(upgrade: SipUpgrade): void
  /** By name; counters end in `_total`. */
  metrics(): Record<string, number>
  /** Ends every call, with its event, and releases everything. */
  stop(): Promise<void>
}
