/** What a world around an engine must offer for the contract suite, and what it may lack. */
import type {
  AcceptedCall,
  CallEvent,
  CallRequest,
  CodeCallRequest,
  ExtensionName,
  IncomingCall,
  RegistrationEvent,
  RejectedCall,
  VoiceEngine,
} from '../port.ts'
import type { TrunkSettings } from '../trunk-settings/trunk-settings.ts'

export type Refusal = 'busy' | 'declined'

/** A person at a phone, who acts on the call that has reached it or will in a moment. */
export type Person = {
  rings(): Promise<void>
  answers(): Promise<void>
  refuses(why: Refusal): Promise<void>
  hangsUp(): Promise<void>
}

export type World = {
  /** Another one after `restart`. */
  engine: VoiceEngine
  /** Its phone is registered. */
  extension: ExtensionName
  /** A call from the extension to the destination. */
  request(change?: Partial<CallRequest>): CallRequest
  /** A call in which the person at the destination types a code. */
  codeRequest(change?: Partial<CodeCallRequest>): CodeCallRequest
  atExtension: Person
  atDestination: Person
  /** All events so far. */
  events: CallEvent[]
  registrationEvents: RegistrationEvent[]
  until(callId: string, type: CallEvent['type']): Promise<CallEvent>
  /** Lets the time limits of calls pass. */
  pass(seconds: number): Promise<void>
  close(): Promise<void>
} & Partial<Abilities>

/** What not every world can do. A world names what it cannot in `describeEngine`, and the tests of it are skipped. */
export type Abilities = {
  incoming: {
    /** The host's answer to the next incoming call. */
    admitWith(answer: AcceptedCall | RejectedCall): void
    /** What the host was asked. */
    calls: IncomingCall[]
    /** The extension's phone dials; the person there is the caller. */
    dial(number: string): Promise<void>
    /** A carrier calls; `atExtension` is the called person. */
    bring(number: string, from: string): Promise<void>
  }
  /** The host keeps the recordings of calls. */
  recording: {
    /** Lets real time pass in a talk, so that there is something to record. */
    talk(): Promise<void>
    /** The frequencies the two sides play, in worlds with sound. */
    hertz?: { extension: number; other: number }
  }
  /**
   * Ends the engine and opens another for the same node, whose host knows the registrations. `killed`: the old one
   * has no chance to end its calls.
   */
  restart(how: 'stopped' | 'killed'): Promise<void>
  /** A phone sends a REGISTER, the same one again if the name is the same. Whether it was accepted. */
  register(phone: { name: string; number?: string; password?: string }): Promise<boolean>
  /** D312: credentials of a user for a while. */
  temporaryLogins: {
    /** A phone registers with those of the user. Whether it was accepted. */
    register(userId: number): Promise<boolean>
    /** The user may no longer use the extension; the engine is not notified. */
    revoke(userId: number): void
  }
  /** Headers of the INVITE to the extension. */
  extensionInvite(): Promise<Record<string, string>>
  trunks: {
    /** The first trunk answers every INVITE with 503. */
    failFirst(): Promise<void>
    /** The trunk that the destination was reached by, and the number presented there. */
    reachedBy(): Promise<{ trunk: string; presented: string }>
    first: string
    second: string
    /** Both, as an operator describes them. */
    all: readonly TrunkSettings[]
    /** The first trunk's own number. */
    firstNumber: string
  }
  /** The person at the destination presses keys. */
  pressKeys(keys: string): Promise<void>
  /** A side stops sending sound. Resolves once MEDIA_SECONDS have passed for it. */
  silence(...sides: ('extension' | 'other')[]): Promise<void>
}

export type Ability = keyof Abilities | 'killed' | 'hertz'
