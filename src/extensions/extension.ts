/** An extension: a SIP user of an account, and what its fields must be. */
import { type FieldProblems, problem, refuseFields } from '../contract/errors.ts'
import { readEmail } from '../kit/email.ts'
import { readPhone } from '../kit/phone.ts'

export type Extension = {
  id: number
  number: string
  password: string
  callerId: string | null
  firstName: string
  lastName: string
  email: string
  recordCalls: boolean
  /** Of the phone that is registered now, if any. */
  registration: { at: Date; userAgent: string | null } | null
}

export type NewExtension = Omit<Extension, 'id' | 'registration'>

export type ExtensionPatch = Partial<NewExtension>

/** D70: numbers given out by us begin here and end where six digits do. */
export const firstNumber = 1000
export const lastNumber = 999_999

/** The wish as it is kept, or what is wrong with it; field names are those of the wire. */
export function readExtension<T extends ExtensionPatch>(wish: T): T & { callerNumber?: string | null } {
  const problems: FieldProblems = {}
  const kept: T & { callerNumber?: string | null } = { ...wish }
  for (const [field, wire] of [
    ['firstName', 'first_name'],
    ['lastName', 'last_name'],
  ] as const) {
    if (wish[field] === undefined) continue
    kept[field] = wish[field].trim()
    if (kept[field] === '') problems[wire] = [problem.blank]
  }
  if (wish.email !== undefined) {
    const email = readEmail(wish.email)
    if (email === undefined) problems.email_address = [problem.noEmail]
    else kept.email = email
  }
  if (wish.callerId !== undefined) {
    kept.callerId = wish.callerId?.trim() || null
    kept.callerNumber = kept.callerId === null ? null : (readPhone(kept.callerId) ?? null)
    if (kept.callerId !== null && kept.callerNumber === null) {
      problems.bina = [problem.noPhone]
    }
  }
  if (Object.keys(problems).length > 0) throw refuseFields('Extension', problems)
  return kept
}
