/** A user of an account: the type, and the rules that need no database. */

import type { Role } from '../contract/accounts/users.ts'
import {
  type FieldProblem,
  type FieldProblems,
  problem,
  type Resource,
  refuseFields,
} from '../contract/errors.ts'
import { readEmail } from '../kit/text/email.ts'
import { readPhone } from '../kit/text/phone.ts'

export type User = {
  id: number
  uuid: string
  name: string
  email: string
  phone: string
  role: Role
  emailVerified: boolean
  /** The address that replaces `email` once it is confirmed (D142). */
  pendingEmail: string | null
  /** Has no password yet: the invitation is on its way (D141). */
  invited: boolean
  createdAt: Date
  updatedAt: Date
  lastLoginAt: Date | null
}

export type NewUser = Pick<User, 'name' | 'email' | 'phone' | 'role'> & { password?: string }

export type UserPatch = Partial<Pick<User, 'name' | 'email' | 'phone' | 'role' | 'emailVerified'>>

type Contact = { name?: string; email?: string; phone?: string }

/** Returns name, e-mail and phone as they are stored (D63); refuses with what is wrong with them. */
export function readContact<T extends Contact>(context: Resource, input: T): T {
  const problems: FieldProblems = {}
  const cleaned = { ...input }
  if (input.name !== undefined) {
    cleaned.name = input.name.trim()
    const wrong = problemOfName(cleaned.name)
    if (wrong) problems.name = [wrong]
  }
  if (input.email !== undefined) {
    const email = readEmail(input.email)
    if (email === undefined) problems.email = [problem.noEmail]
    else cleaned.email = email
  }
  if (input.phone !== undefined) {
    cleaned.phone = input.phone.trim()
    if (readPhone(cleaned.phone) === undefined) {
      problems.phone = [problem.noPhone]
    }
  }
  if (Object.keys(problems).length > 0) throw refuseFields(context, problems)
  return cleaned
}

/** D145: names stand in mails and on pages, so they are one line of text without links. */
export function problemOfName(name: string): FieldProblem | undefined {
  if (name === '') return problem.blank
  if (/[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]/u.test(name)) return problem.severalLines
  if (/:\/\/|\bwww\./i.test(name)) return problem.hasLink
  return undefined
}

/** D145: mails greet by the first word of a name, and only if it is a word. */
export function firstNameOf(name: string): string | undefined {
  const [first = ''] = name.trim().split(/\s+/, 1)
  return /^[\p{L}\p{M}'’-]{1,30}$/u.test(first) ? first : undefined
}

const passwordLength = { min: 8, max: 200 }

export function problemOfPassword({ length }: string): FieldProblem | undefined {
  return length < passwordLength.min || length > passwordLength.max ? problem.passwordLength : undefined
}

/** Refuses a new password that is too short or too long; `field` is its name on the wire. */
export function checkPassword(field: string, password: string) {
  const found = problemOfPassword(password)
  if (found) throw refuseFields('User', { [field]: [found] })
}
