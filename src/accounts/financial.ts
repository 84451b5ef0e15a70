/**
 * The financial account: who pays, as the tax office knows them.
 *
 *   PENDING ──▶ ACTIVE          a tax id that the payment gateway accepted; it stays for ever (D37, D39)
 *     ▲ │        ▲
 *     │ ▼        │
 *   REJECTED ────┘              one that it refused; another may be tried
 */

import { type FieldProblems, problem, refuseFields } from '../contract/errors.ts'
import type { FinancialStatus, PersonType } from '../contract/financial.ts'
import { readEmail } from '../kit/email.ts'
import { readPhone } from '../kit/phone.ts'
import { readTaxId, type TaxId } from '../kit/tax-id.ts'

export type FinancialAccount = {
  status: FinancialStatus
  company: string | null
  name: string | null
  email: string | null
  phone: string | null
  mobilePhone: string | null
  personType: PersonType | null
  taxId: string | null
  address: Address
  /** Comma-separated, without spaces. */
  additionalEmails: string | null
}

type Address = Record<(typeof addressParts)[number], string | null>

export const addressParts = [
  'address',
  'number',
  'complement',
  'province',
  'district',
  'city',
  'state',
  'country',
  'zipCode',
] as const

export type FinancialPatch = {
  phone?: string | null
  mobilePhone?: string | null
  additionalEmails?: string | null
}

const context = 'FinancialAccount'
const maxEmails = 20

export function checkTaxId(text: string): TaxId {
  const id = readTaxId(text)
  if (!id) throw refuseFields(context, { cpfCnpj: [noTaxId] })
  return id
}

export function refuseTaxId() {
  return refuseFields(context, { cpfCnpj: [notAccepted] })
}

const noTaxId = { code: 'format', message: 'must be a CPF or CNPJ with valid check digits' }
const notAccepted = { code: 'invalid', message: 'was not accepted by the payment gateway' }

/** The wish as it is kept, or all that is wrong with it. */
export function readFinancialPatch(wish: FinancialPatch): FinancialPatch {
  const problems: FieldProblems = {}
  const kept: FinancialPatch = {}
  for (const field of ['phone', 'mobilePhone'] as const) {
    if (wish[field] === undefined) continue
    kept[field] = wish[field]?.trim() || null
    if (kept[field] !== null && readPhone(kept[field]) === undefined) problems[field] = [problem.noPhone]
  }
  if (wish.additionalEmails !== undefined) {
    const emails = readEmails(wish.additionalEmails ?? '')
    if (!emails) problems.additionalEmails = [noEmails]
    else kept.additionalEmails = emails.join(',') || null
  }
  if (Object.keys(problems).length > 0) throw refuseFields(context, problems)
  return kept
}

const noEmails = {
  code: 'format',
  message: `must be up to ${maxEmails} e-mail addresses, comma-separated`,
}

/** In lower case, each once; undefined if one of them is none. */
function readEmails(text: string): string[] | undefined {
  const parts = text.split(',').filter((part) => part.trim() !== '')
  const emails = parts.flatMap((part) => readEmail(part) ?? [])
  const different = [...new Set(emails)]
  return emails.length === parts.length && different.length <= maxEmails ? different : undefined
}
