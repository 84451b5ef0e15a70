/**
 * What the phone of this tab is doing; parts of the page read it and are drawn again when it changes.
 *
 *   registration:  off ──▶ connecting ──▶ ready          call:  ringing ──▶ connecting ──▶ talking ──▶ (none)
 *                            ▲   └──▶ failed                       └────────────┴──▶ (none)  ▲ │         ▲
 *                            ▲   └──▶ displaced                                              │ ▼ lost    │
 *                            └────────┘                                                   returning ─────┘
 */
import { useSyncExternalStore } from 'react'
import { browserOf } from '../parts/browser.ts'
import type { MicrophoneProblem } from './sound/devices.ts'

export type PhoneCall = {
  direction: 'in' | 'out'
  /** As the other side is named: a telephone number or an extension. */
  number: string
  /** Id of the call in the API; undefined until it is known. */
  id: string | undefined
  state: 'ringing' | 'connecting' | 'talking' | 'returning'
  /** Milliseconds since the epoch; undefined until somebody answered. */
  answeredAt: number | undefined
  isMuted: boolean
  isHeld: boolean
  /** Undefined until it was measured. */
  quality: 'good' | 'fair' | 'poor' | undefined
}

export type PhoneState = {
  registration: 'off' | 'connecting' | 'ready' | 'displaced' | 'failed'
  /** What the phone that took the place of this one calls itself. */
  displacedBy: string | undefined
  /** One tab has the phone; in the others it is elsewhere. */
  isElsewhere: boolean
  call: PhoneCall | undefined
  /** The call that waits while somebody else is asked whether they take it. */
  parked: PhoneCall | undefined
  /** Why the last call ended, in the words of SIP, for a moment. */
  lastCause: string | undefined
  /** The other side of a call that ended while the page was loaded again. */
  lostNumber: string | undefined
  /** Why the last try to dial or to answer had no microphone, until the next try. */
  microphone: MicrophoneProblem | undefined
  /** This browser could not send sound to the service; undefined until it is known. */
  isOutOfReach: boolean | undefined
}

const product = 'Ramal console'
/** What the phone calls itself when it registers. */
export const userAgent = `${product} (${browserOf(navigator.userAgent)})`
export const isBrowserPhone = (name: string | null) => name?.startsWith(product) ?? false

const idle: PhoneState = {
  registration: 'off',
  displacedBy: undefined,
  isElsewhere: false,
  call: undefined,
  parked: undefined,
  lastCause: undefined,
  lostNumber: undefined,
  microphone: undefined,
  isOutOfReach: undefined,
}

let current = idle
const listeners = new Set<() => void>()

export const phoneState = (): PhoneState => current

export function setPhone(change: Partial<PhoneState>) {
  current = { ...current, ...change }
  for (const listener of listeners) listener()
}

export function setCall(change: Partial<PhoneCall>) {
  if (current.call) setPhone({ call: { ...current.call, ...change } })
}

export function newCall(direction: PhoneCall['direction'], number: string): PhoneCall {
  return {
    direction,
    number,
    id: undefined,
    state: direction === 'in' ? 'ringing' : 'connecting',
    answeredAt: undefined,
    isMuted: false,
    isHeld: false,
    quality: undefined,
  }
}

export function onPhoneChange(listener: () => void) {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export const usePhone = () => useSyncExternalStore(onPhoneChange, phoneState)
