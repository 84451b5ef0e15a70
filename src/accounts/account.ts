/** An account: what its fields must be. */
import { type FieldProblems, problem, refuseFields } from '../contract/errors.ts'
import { readEmail } from '../kit/email.ts'
import { readPhone } from '../kit/phone.ts'

export type Account = {
  id: number
  uuid: string
  domain: string
  name: string
  email: string
  phone: string
  createdAt: Date
  updatedAt: Date
}

export type AccountPatch = { name?: string; email?: string; phone?: string }

export type Signup = {
  organizationName: string
  domain: string
  email: string
  password: string
  phone: string
  crm: string
  userQuantity: string
}

/** An account that nobody confirmed gives its domain and e-mail back after this (D57). */
export const unconfirmedSeconds = 7 * 86_400

const label = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/

/** D57: one lower-case DNS label and the suffix of the service. */
function isAccountDomain(domain: string, suffix: string): boolean {
  return domain.endsWith(suffix) && label.test(domain.slice(0, -suffix.length))
}

/** The wish as it is kept, or all that is wrong with it. Names of fields are those of the wire. */
export function readSignup(wish: Signup, suffix: string, crmProducts: string[]): Signup {
  const problems: FieldProblems = {}
  const organizationName = wish.organizationName.trim()
  const domain = wish.domain.trim().toLowerCase()
  const email = readEmail(wish.email)
  const phone = wish.phone.trim()
  if (organizationName === '') {
    problems.organization_name = [problem.blank]
  }
  if (!isAccountDomain(domain, suffix)) {
    const message = `must be letters, digits and dashes followed by ${suffix}`
    problems.domain = [{ code: 'format', message }]
  }
  if (email === undefined) problems.email = [problem.noEmail]
  if (readPhone(phone) === undefined) {
    problems.phone = [problem.noPhone]
  }
  if (!crmProducts.includes(wish.crm)) {
    problems.crm = [{ code: 'inclusion', message: `must be one of ${crmProducts.join(', ')}` }]
  }
  if (email === undefined || Object.keys(problems).length > 0) throw refuseFields('Account', problems)
  return { ...wish, organizationName, domain, email, phone }
}
