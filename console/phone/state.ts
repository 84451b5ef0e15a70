/**
 * What the phone of this tab is doing; parts of the page read it and are drawn again when it changes. The states of its calls are
 * in `moves/phone.ts`.
 *
 *   registration:  off ──▶ connecting ──▶ ready
 *                            ▲   └──▶ failed
 *                            ▲   └──▶ displaced
 *                            └────────┘
 */
import { useSyncExternalStore } from 'react'
import { browserOf } from '../parts/browser.ts'
import type { Phone, PhoneCall } from './moves/phone.ts'

type Shown =
  | 'isUndisturbed'
  | 'registration'
  | 'displacedBy'
  | 'lastCause'
  | 'failed'
  | 'lostNumber'
  | 'microphone'

export type PhoneState = Pick<Phone, Shown> & {
  /** One tab has the phone; in the others it is elsewhere. */
  isElsewhere: boolean
  call: PhoneCall | undefined
  /** The call that waits while somebody else is asked whether they take it. */
  parked: PhoneCall | undefined
  /** D601: a second call that rings, and is not ignored. */
  waiting: PhoneCall | undefined
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
  waiting: undefined,
  isUndisturbed: false,
  lastCause: undefined,
  failed: undefined,
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

/** Shows the phone of the agent. */
export function showPhone(phone: Phone) {
  setPhone({
    registration: phone.registration,
    displacedBy: phone.displacedBy,
    call: phone.front?.call,
    parked: phone.parked?.call,
    waiting: phone.waiting?.isIgnored ? undefined : phone.waiting?.call,
    isUndisturbed: phone.isUndisturbed,
    lastCause: phone.lastCause,
    failed: phone.failed,
    lostNumber: phone.lostNumber,
    microphone: phone.microphone,
  })
}

export function onPhoneChange(listener: () => void) {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export const usePhone = () => useSyncExternalStore(onPhoneChange, phoneState)
