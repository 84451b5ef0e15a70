/** An extension: a SIP user of an account, and the rules of its fields. */
import { type FieldProblems, problem, refuseFields } from '../contract/errors.ts'
import { readEmail } from '../kit/text/email.ts'
import { readPhone } from '../kit/text/phone.ts'

export type Extension = {
  id: number
  number: string
  password: string
  callerId: string | null
  /** D187: whether it is a verified number of the account; until then the trunk's number is presented. */
  callerIdVerified: boolean
  firstName: string
  lastName: string
  email: string
  recordCalls: boolean
  /** D148: the user it belongs to, by id; null if no user of the account had its e-mail when it was written. */
  owner: { id: number; uuid: string } | null
  /** The phone that is registered now. */
  registration: { at: Date; userAgent: string | null } | null
}

export type NewExtension = Omit<Extension, 'id' | 'callerIdVerified' | 'owner' | 'registration'>

export type ExtensionPatch = Partial<NewExtension>

/** D70: the range of numbers that `next-available` gives out. */
export const firstNumber = 1000
export const lastNumber = 999_999

/** Normalises the fields, or refuses them; field names in a refusal are those of the wire. */
export function readExtension<T extends ExtensionPatch>(input: T): T & { callerNumber?: string | null } {
  const problems: FieldProblems = {}
  const read: T & { callerNumber?: string | null } = { ...input }
  for (const [field, wire] of [
    ['firstName', 'first_name'],
    ['lastName', 'last_name'],
  ] as const) {
    if (input[field] === undefined) continue
    read[field] = input[field].trim()
    if (read[field] === '') problems[wire] = [problem.blank]
  }
  if (input.email !== undefined) {
    const email = readEmail(input.email)
    if (email === undefined) problems.email_address = [problem.noEmail]
    else read.email = email
  }
  if (input.callerId !== undefined) {
    read.callerId = input.callerId?.trim() || null
    read.callerNumber = read.callerId === null ? null : (readPhone(read.callerId) ?? null)
    if (read.callerId !== null && read.callerNumber === null) {
      problems.bina = [problem.noPhone]
    }
  }
  if (Object.keys(problems).length > 0) throw refuseFields('Extension', problems)
  return read
}
