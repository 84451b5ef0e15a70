/** What happens to the phone, and what it does about it. */
import type { EndReason } from './end-reason.ts'
import type { Dialog, KeptCall, MicrophoneProblem, Phone, PhoneCall, SessionId } from './phone.ts'

/** `return`: the time to come back to a call. `retry`: before the next INVITE. `cause`: how long the end of a call is shown. */
export type TimerName = 'return' | 'retry' | 'cause'

/** Of the page, and of the connection and registration to the service. */
export type PageEvent =
  | { type: 'started'; kept: KeptCall | undefined }
  | { type: 'connecting' }
  | { type: 'registered' }
  /** D413: `displacedBy` names the phone that took the place of this one. */
  | { type: 'registrationFailed'; displacedBy: string | undefined }
  | { type: 'disconnected' }
  | { type: 'timer'; timer: TimerName }
  /** Why the microphone could not be opened; undefined if it could, or if the person has read it. */
  | { type: 'microphone'; problem: MicrophoneProblem | undefined }
  /** The page is left, perhaps to be loaded again. */
  | { type: 'left' }
  | { type: 'stopped' }

/** What the person does. */
export type PersonEvent =
  | { type: 'answer' }
  | { type: 'dial'; number: string }
  | { type: 'hangUp' }
  | { type: 'consult'; number: string }
  | { type: 'connect' }
  /** D601: with a second call that came in; `swap` changes between the call in front and the one on hold. */
  | { type: 'holdAndAnswer' | 'refuseWaiting' | 'ignoreWaiting' | 'swap' }
  /** D602. */
  | { type: 'disturb'; isAllowed: boolean }
  /** The message about a call that failed or could not be continued was read. */
  | { type: 'lostRead' }
  | CallCommand

/** For the session in front, as it is. */
export type CallCommand = { type: 'mute' | 'unmute' | 'hold' | 'resume' } | { type: 'press'; key: string }

/** Of one session. */
export type SessionEvent = { session: SessionId } & (
  | {
      type: 'incoming'
      number: string
      id: string | undefined
      isAnsweredByItself: boolean
      /** The person placed it over the API, and their phone rings first. */
      isPlaced?: boolean
      /** D641: the extension that transfers it to this phone. */
      transferredBy?: string | undefined
    }
  /** D641: the other side was transferred; `number` is the new party, as records have it. */
  | { type: 'connectedTo'; number: string }
  /** The microphone is open and the INVITE about to be sent. */
  | { type: 'sending' }
  | { type: 'accepted'; id: string | undefined }
  | { type: 'confirmed'; dialog: Dialog; at: number }
  | { type: 'answerFailed'; problem: MicrophoneProblem }
  | { type: 'held' | 'unheld' | 'muted' | 'unmuted' }
  | { type: 'measured'; quality: PhoneCall['quality'] }
  | { type: 'soundFlows' | 'soundLost' }
  | OverEvent
)

/** The session ended: its connection broke, the service hung up or refused, or for another reason. */
export type OverEvent = {
  type: 'over'
  cause: string
  by: 'connection' | 'service' | 'other'
  /** D611: undefined for an end that needs no explanation. */
  reason: EndReason | undefined
}

export type PhoneEvent = PageEvent | PersonEvent | SessionEvent

export type Effect =
  | { type: 'answer'; session: SessionId }
  | { type: 'dial'; session: SessionId; number: string }
  /** An INVITE in place of the leg. */
  | { type: 'return'; session: SessionId; dialog: Dialog }
  | { type: 'terminate'; session: SessionId; status: 486 | undefined }
  | { type: 'hold' | 'unhold' | 'mute' | 'unmute'; session: SessionId }
  | { type: 'press'; session: SessionId; key: string }
  /** Connects the other sides of both sessions; this phone leaves both. */
  | { type: 'connect'; parked: SessionId; talking: SessionId }
  | { type: 'hangUpAtService'; id: string }
  | { type: 'keep'; kept: KeptCall }
  | { type: 'renewAccess' }
  /** Ends every session that is left. */
  | { type: 'stop' }
  | FollowUp

/** Effects that the state alone decides. */
export type FollowUp =
  | { type: 'ring'; number: string }
  | { type: 'stopRinging' }
  /** Quieter than ringing, beside the call that is talked in. */
  | { type: 'knock'; number: string }
  | { type: 'stopKnocking' }
  /** Undefined is silence. */
  | { type: 'listen'; session: SessionId | undefined }
  | { type: 'measure'; session: SessionId | undefined }
  | { type: 'startTimer'; timer: TimerName; ms: number }
  | { type: 'stopTimer'; timer: TimerName }

export type Step = { phone: Phone; effects: Effect[] }
