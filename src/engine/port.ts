/**
 * The voice port: all that the rest of the house knows of telephony. An engine rings extensions, dials
 * destinations and joins them; what happens it tells by events; what it must know of the world upstairs it asks.
 */
import type { Cause } from '../contract/causes.ts'
import type { Maybe } from '../kit/maybe.ts'

/** A SIP user: numbers are unique in their account's domain only. */
export type ExtensionName = { domain: string; number: string }

/** Whom a display shows. */
export type Party = { number: string; name?: string }

/** A number is E.164 without plus. */
export type Destination = { number: string } | { extension: ExtensionName }

/** In whole seconds: how long the extension rings, the destination rings, and the two may talk. */
export type TimeLimits = { ring: number; answer: number; talk: number }

/** Click to call: ring the extension, then dial the destination and join the two. */
export type CallRequest = {
  /** Made upstairs before anything is dialled; the only name the call has. */
  callId: string
  extension: ExtensionName
  /** What the extension's phone shows while it rings. */
  shown: Party
  destination: Destination
  /** What the destination is shown. */
  presented: Party | undefined
  record: boolean
  limits: TimeLimits
}

/** A call somebody else began: an extension's phone that dials, or a carrier. */
export type IncomingCall = {
  from: { extension: ExtensionName } | { trunk: string; callerId: Party | undefined }
  dialled: string
}

/** Where an arrival goes: accepted, and stored, upstairs. */
export type AcceptedCall = Pick<CallRequest, 'callId' | 'destination' | 'presented' | 'record' | 'limits'>

export type RejectedCall = { rejected: Cause }

export type Side = 'extension' | 'other' | 'service'

export type Recording = { path: string; seconds: number; bytes: number }

/**
 * Of one call they come in this order, each at most once; `ended` always comes, and is the last.
 * `extension` is the side that began the call, or the called one of a call from outside.
 */
export type CallEvent = { callId: string; at: Date } & (
  | { type: 'ringing' }
  | { type: 'extensionAnswered' }
  | { type: 'progress' }
  | { type: 'answered' }
  | { type: 'ended'; cause: Cause; by: Side; recording?: Recording }
)

/** Where an extension's phone is. One extension has one at most (D76). */
export type Registration = {
  extension: ExtensionName
  registeredAt: Date
  expiresAt: Date
  userAgent: string | undefined
  /** What the engine needs to find the phone again after a restart; meaningless upstairs. */
  state: string
}

export type RegistrationEvent =
  | { type: 'registered'; registration: Registration }
  /** `way` or the expiry changed, nothing else. Told often: may be kept late. */
  | { type: 'refreshed'; registration: Registration }
  | { type: 'displaced'; registration: Registration; by: { userAgent: string | undefined; address: string } }
  | { type: 'unregistered'; extension: ExtensionName }

export type Credentials = { password: string }

/** What an engine asks and tells; handed in when it is made. */
export type EngineHost = {
  /** At once when remembered. */
  credentials(extension: ExtensionName): Maybe<Credentials | undefined>
  /** Phones that this node knew before it was restarted. */
  registrations(): Promise<Registration[]>
  /** Stores the call before it answers. */
  admitCall(arrival: IncomingCall): Promise<AcceptedCall | RejectedCall>
  onCall(event: CallEvent): void
  onRegistration(event: RegistrationEvent): void
}

export type VoiceEngine = {
  /** Opens what it needs, or says in a sentence for the operator why it cannot. */
  start(): Promise<void>
  /** Takes the call on and returns at once; the rest is told by events, the first of them after this returned. */
  place(placing: CallRequest): void
  /** At any stage. False if no such call is live here. The cause is ours to choose: by default that of a caller who hangs up. */
  hangUp(callId: string, cause?: Cause): boolean
  liveCalls(): string[]
  registration(extension: ExtensionName): Registration | undefined
  /** Its number or password changed, or it is no more: the phone must register anew. */
  forget(extension: ExtensionName): void
  /** Where phones reach it, by what the way is called: `{ SIP: '192.0.2.1:5060' }`. */
  addresses(): Record<string, string>
  /** What keeps it from working, in words for the operator; nothing when all is well. */
  problems(): string[]
  /** Counts for the operator, by name; those that only grow end in `_total`. */
  metrics(): Record<string, number>
  /** Ends every call, tells so, and lets go of everything. */
  stop(): Promise<void>
}
