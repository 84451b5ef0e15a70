/** A user of an account: the type, and the rules that need no database. */
import { type FieldProblems, problem, refuseFields } from '../contract/errors.ts'
import type { Role } from '../contract/users.ts'
import { readEmail } from '../kit/email.ts'
import { readPhone } from '../kit/phone.ts'

export type User = {
  id: number
  uuid: string
  name: string
  email: string
  phone: string
  role: Role
  emailVerified: boolean
  createdAt: Date
  updatedAt: Date
  lastLoginAt: Date | null
}

export type NewUser = Pick<User, 'name' | 'email' | 'phone' | 'role'> & { password: string }

export type UserPatch = Partial<Pick<User, 'name' | 'email' | 'phone' | 'role' | 'emailVerified'>>

type Contact = { name?: string; email?: string; phone?: string }

/** Returns name, e-mail and phone as they are stored (D63); refuses with what is wrong with them. */
export function readContact<T extends Contact>(context: string, input: T): T {
  const problems: FieldProblems = {}
  const cleaned = { ...input }
  if (input.name !== undefined) {
    cleaned.name = input.name.trim()
    if (cleaned.name === '') problems.name = [problem.blank]
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
