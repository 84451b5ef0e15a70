/** An account, and the rules for its fields. */
import type { CallVisibility } from '../contract/accounts/accounts.ts'
import { type FieldProblem, type FieldProblems, notOneOf, problem, refuseFields } from '../contract/errors.ts'
import { readEmail } from '../kit/text/email.ts'
import type { Language } from '../kit/text/language.ts'
import { readPhone } from '../kit/text/phone.ts'
import { problemOfName, problemOfPassword } from '../users/user.ts'
import { crmProducts, readCrmProduct } from './crm-products.ts'

export type Account = {
  id: number
  uuid: string
  domain: string
  name: string
  email: string
  phone: string
  timeZone: string
  language: Language
  /** D599. */
  callVisibility: CallVisibility
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

/** D57: an unconfirmed account frees its domain and e-mail after this time. */
export const unconfirmedSeconds = 7 * 86_400

/**
 * D57: not `xn--` and the like, which are shown as other letters and so could look like the domain of another account.
 */
const label = /^(?!..--)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/

/** D57: one lower-case DNS label and the suffix of the service. */
function isAccountDomain(domain: string, suffix: string): boolean {
  return domain.endsWith(suffix) && label.test(domain.slice(0, -suffix.length))
}

/**
 * Returns the request normalised; refuses an invalid one with all its problems, by the names of the wire's fields.
 * `moreCrms` are products that the operator adds to the known ones.
 */
export function readSignup(request: Signup, suffix: string, moreCrms: string[]): Signup {
  const problems: FieldProblems = {}
  const organizationName = request.organizationName.trim()
  const domain = request.domain.trim().toLowerCase()
  const email = readEmail(request.email)
  const phone = request.phone.trim()
  const wrongName = problemOfName(organizationName)
  if (wrongName) problems.organization_name = [wrongName]
  if (!isAccountDomain(domain, suffix)) {
    problems.domain = [noDomain(suffix)]
  }
  if (email === undefined) problems.email = [problem.noEmail]
  if (readPhone(phone) === undefined) {
    problems.phone = [problem.noPhone]
  }
  const wrongPassword = problemOfPassword(request.password)
  if (wrongPassword) problems.password = [wrongPassword]
  const crm = readCrmProduct(request.crm, moreCrms)
  if (crm === undefined) problems.crm = [notOneOf([...crmProducts, ...moreCrms])]
  if (email === undefined || crm === undefined || Object.keys(problems).length > 0)
    throw refuseFields('Account', problems)
  return { ...request, organizationName, domain, email, phone, crm }
}

function noDomain(suffix: string): FieldProblem {
  return {
    code: 'format',
    message: {
      en: `must be letters, digits and dashes followed by ${suffix}`,
      pt: `deve ter letras, dígitos e hifens seguidos de ${suffix}`,
    },
  }
}
