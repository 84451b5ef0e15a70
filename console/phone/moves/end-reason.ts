/** D611: why a call failed, from what SIP says about its end: the Reason header of the service, and its phrase (D610). Pure. */
import type { Cause } from '../../../src/contract/calls/causes.ts'
import type { RefusalPhrase } from '../../../src/contract/calls/refusal-phrases.ts'

export type EndReason =
  | Exclude<Cause, 'NORMAL_CLEARING' | 'NORMAL_UNSPECIFIED' | 'ORIGINATOR_CANCEL'>
  | 'NO_CREDIT'
  | 'DAILY_LIMIT'
  | 'EMERGENCY_NUMBER'
  | 'OWN_EXTENSION'
  | 'ACCOUNT_SUSPENDED'
  | 'NO_CONNECTION'

const byPhrase: Record<RefusalPhrase, EndReason> = {
  'Insufficient Credit': 'NO_CREDIT',
  'Daily Limit Reached': 'DAILY_LIMIT',
  'Emergency Calls Not Available': 'EMERGENCY_NUMBER',
  'Own Extension': 'OWN_EXTENSION',
  'No Such Feature Code': 'UNALLOCATED_NUMBER',
  'Account Suspended': 'ACCOUNT_SUSPENDED',
}

/** Ends that people expect. */
const usual = ['NORMAL_CLEARING', 'NORMAL_UNSPECIFIED', 'ORIGINATOR_CANCEL']

type End = {
  /** In the words of JsSIP. */
  cause: string
  /** This phone ended the call. */
  isOurs: boolean
  /** Reason, as RFC 3326 has it; the service writes the name of the cause as its text. */
  header: string | undefined
  phrase: string | undefined
}

/** Undefined for an end that needs no explanation. */
export function readEndReason({ cause, isOurs, header, phrase = '' }: End): EndReason | undefined {
  if (phrase in byPhrase) return byPhrase[phrase as RefusalPhrase]
  const [, name] = /text="?([A-Z_]+)"?/.exec(header ?? '') ?? []
  if (name !== undefined) return usual.includes(name) ? undefined : (name as EndReason)
  if (cause === 'Connection Error' || cause === 'Request Timeout') return 'NO_CONNECTION'
  if (cause === 'Busy' && !isOurs) return 'USER_BUSY'
  return undefined
}
