/**
 * A link that is mailed to a user (D138): what it is for, how long it works, and its token, of which only the hash is
 * stored. A link acts once, when the button of its page is pressed; a newer one of the same purpose replaces it.
 */
import { hash } from 'node:crypto'
import type { LinkPurpose } from '../../contract/accounts/users.ts'

const hour = 3600
const day = 24 * hour

export const linkSeconds: Record<LinkPurpose, number> = {
  'confirm-email': 48 * hour,
  'new-email': 48 * hour,
  'release-email': 48 * hour,
  'keep-email': 7 * day,
  'reset-password': hour,
  invitation: 7 * day,
}

/** Links with a button to press, and links with a form for a new password. */
export const confirmingPurposes = ['confirm-email', 'new-email', 'release-email', 'keep-email'] as const
export const passwordPurposes = ['reset-password', 'invitation'] as const

export type ConfirmingPurpose = (typeof confirmingPurposes)[number]
export type PasswordPurpose = (typeof passwordPurposes)[number]

export function setsPassword(purpose: LinkPurpose): purpose is PasswordPurpose {
  return passwordPurposes.some((one) => one === purpose)
}

/** Short enough that the log, where the development mailbox writes its links, does not mask it as a secret. */
export const linkTokenLength = 32

const tokenShape = /^[0-9A-Za-z]{1,100}$/

/** Undefined for a text that cannot be a token. */
export function hashLinkToken(token: string): Buffer | undefined {
  return tokenShape.test(token) ? hash('sha256', token, 'buffer') : undefined
}
