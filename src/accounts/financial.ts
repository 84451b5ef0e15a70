/**
 * The financial account: the payer's tax identity and contacts.
 *
 *   PENDING ──▶ ACTIVE          the payment gateway accepted the tax id, which is final (D37, D39)
 *     ▲ │        ▲
 *     │ ▼        │
 *   REJECTED ────┘              the gateway refused the tax id; another may be tried
 */

import { type FieldProblems, problem, refuseFields } from '../contract/errors.ts'
import type { FinancialStatus, PersonType } from '../contract/money/financial.ts'
import { readEmail } from '../kit/text/email.ts'
import { readPhone } from '../kit/text/phone.ts'
import { readTaxId, type TaxId } from '../kit/text/tax-id.ts'

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

export type Address = Record<(typeof addressParts)[number], string | null>

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

/** The wire's name of a part: `addressZipCode`. */
export function wireNameOf(part: string): string {
  return part === 'address' ? part : `address${part.charAt(0).toUpperCase()}${part.slice(1)}`
}

export type FinancialPatch = {
  email?: string | null
  phone?: string | null
  mobilePhone?: string | null
  additionalEmails?: string | null
  address?: Partial<Address>
}

const context = 'FinancialAccount'
const maxEmails = 20

export function checkTaxId(text: string): TaxId {
  const id = readTaxId(text)
  if (!id) throw refuseFields(context, { cpfCnpj: [noTaxId] })
  return id
}

export function refuseTaxId(reason = notAccepted) {
  return refuseFields(context, { cpfCnpj: [reason] })
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

/** D39: before the account is active, too. */
export const setByPost = {
  code: 'exclusion',
  message: {
    en: 'cannot be changed here; use POST /accounts/financial',
    pt: 'não pode ser alterado aqui; use POST /accounts/financial',
  },
}

/** Returns the changes normalised; refuses invalid ones with all their problems. */
export function readFinancialPatch(patch: FinancialPatch, country: string | null = null): FinancialPatch {
  const problems: FieldProblems = {}
  const changes: FinancialPatch = {}
  if (patch.email !== undefined) {
    const email = patch.email?.trim() ? readEmail(patch.email) : null
    if (email === undefined) problems.email = [problem.noEmail]
    else changes.email = email
  }
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
  if (patch.address) {
    const { address, problem: found } = readAddress(patch.address, country)
    if (found) problems.addressZipCode = [found]
    changes.address = address
  }
  if (Object.keys(problems).length > 0) throw refuseFields(context, problems)
  return changes
}

/** D154: any text, blank is none; the postal code of Brazil is eight digits. */
function readAddress(given: Partial<Address>, countryBefore: string | null) {
  const address: Partial<Address> = {}
  for (const part of addressParts) {
    if (given[part] !== undefined) address[part] = given[part]?.replace(/\s+/g, ' ').trim() || null
  }
  const { zipCode, country = countryBefore } = address
  const isForeign = country !== null && !/^(br|bra|brasil|brazil)$/i.test(country)
  if (!zipCode || isForeign) return { address }
  address.zipCode = zipCode.replace(/[\s.-]/g, '')
  return /^\d{8}$/.test(address.zipCode) ? { address } : { address, problem: noZipCode }
}

const noZipCode = {
  code: 'format',
  message: {
    en: 'must be a postal code of eight digits, unless addressCountry is another country',
    pt: 'deve ser um CEP de oito dígitos, a não ser que addressCountry seja outro país',
  },
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
