/** A user of an account: rules that need nothing but the user. */
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

/** Name, e-mail and phone as they are kept (D63), or what is wrong with them. */
export function readContact<T extends Contact>(context: string, wish: T): T {
  const problems: FieldProblems = {}
  const kept = { ...wish }
  if (wish.name !== undefined) {
    kept.name = wish.name.trim()
    if (kept.name === '') problems.name = [problem.blank]
  }
  if (wish.email !== undefined) {
    const email = readEmail(wish.email)
    if (email === undefined) problems.email = [problem.noEmail]
    else kept.email = email
  }
  if (wish.phone !== undefined) {
    kept.phone = wish.phone.trim()
    if (readPhone(kept.phone) === undefined) {
      problems.phone = [problem.noPhone]
    }
  }
  if (Object.keys(problems).length > 0) throw refuseFields(context, problems)
  return kept
}
