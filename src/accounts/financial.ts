/**
 * The financial account: the payer's tax identity and contacts.
 *
 *   PENDING ──▶ ACTIVE          the payment gateway accepted the tax id, which is final (D37, D39)
 *     ▲ │        ▲
 *     │ ▼        │
 *   REJECTED ────┘              the gateway refused the tax id; another may be tried
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

const noTaxId = {
  code: 'format',
  message: {
    en: 'must be a CPF or CNPJ with valid check digits',
    pt: 'deve ser um CPF ou CNPJ com dígitos verificadores válidos',
  },
}
const notAccepted = {
  code: 'invalid',
  message: {
    en: 'was not accepted by the payment gateway',
    pt: 'não foi aceito pelo gateway de pagamento',
  },
}

/** Returns the changes normalised; refuses invalid ones with all their problems. */
export function readFinancialPatch(patch: FinancialPatch): FinancialPatch {
  const problems: FieldProblems = {}
  const changes: FinancialPatch = {}
  for (const field of ['phone', 'mobilePhone'] as const) {
    if (patch[field] === undefined) continue
    changes[field] = patch[field]?.trim() || null
    if (changes[field] !== null && readPhone(changes[field]) === undefined)
      problems[field] = [problem.noPhone]
  }
  if (patch.additionalEmails !== undefined) {
    const emails = readEmails(patch.additionalEmails ?? '')
    if (!emails) problems.additionalEmails = [noEmails]
    else changes.additionalEmails = emails.join(',') || null
  }
  if (Object.keys(problems).length > 0) throw refuseFields(context, problems)
  return changes
}

const noEmails = {
  code: 'format',
  message: {
    en: `must be up to ${maxEmails} e-mail addresses, comma-separated`,
    pt: `deve ter até ${maxEmails} endereços de e-mail, separados por vírgula`,
  },
}

/** In lower case, without duplicates; undefined if one is not an e-mail address. */
function readEmails(text: string): string[] | undefined {
  const parts = text.split(',').filter((part) => part.trim() !== '')
  const emails = parts.flatMap((part) => readEmail(part) ?? [])
  const unique = [...new Set(emails)]
  return emails.length === parts.length && unique.length <= maxEmails ? unique : undefined
}
