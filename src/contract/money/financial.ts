/** The financial account as the outside sees it (spec §2.3, §4.3). */

import { bodyOf } from '../schema/body.ts'
import { nullable } from '../schema/common.ts'
import { Type } from '../schema/type.ts'

/** D37: the states of the financial account. */
const financialStatuses = ['PENDING', 'ACTIVE', 'REJECTED'] as const
export type FinancialStatus = (typeof financialStatuses)[number]

/** D38: natural or legal person. */
const personTypes = ['FISICA', 'JURIDICA'] as const
export type PersonType = (typeof personTypes)[number]

const text = (example: string) => nullable(Type.String({ examples: [example] }))
const cpfCnpj = Type.String({
  maxLength: 40,
  description: 'CPF or CNPJ, with its mask or without',
  examples: ['11.222.333/0001-81'],
})
const phone = Type.String({ maxLength: 40, examples: ['+55 48 3333-4444'] })
const additionalEmails = Type.String({
  maxLength: 2_000,
  description: 'E-mail addresses, comma-separated',
  examples: ['financeiro@aurora.example,ana@aurora.example'],
})

export const FinancialAccount = Type.Object(
  {
    status: Type.Enum([...financialStatuses], { examples: ['ACTIVE'] }),
    company: text('Aurora Ltda'),
    name: text('Aurora Ltda'),
    email: text('ana@aurora.example'),
    phone: text('+55 48 3333-4444'),
    mobilePhone: text('+55 48 99999-8888'),
    personType: nullable(Type.Enum([...personTypes])),
    cpfCnpj: text('11222333000181'),
    address: text('Rua das Flores'),
    addressNumber: text('100'),
    addressComplement: text('Sala 2'),
    addressProvince: text('Centro'),
    addressDistrict: text('Centro'),
    addressCity: text('Florianópolis'),
    addressState: text('SC'),
    addressCountry: text('Brasil'),
    addressZipCode: text('88010000'),
    additionalEmails: text('financeiro@aurora.example'),
  },
  { $id: 'FinancialAccount' },
)

export const FinancialActivation = Type.Object(
  { cpfCnpj },
  { $id: 'FinancialActivation', ...bodyOf('FinancialAccount', { record: FinancialAccount }) },
)

const part = (example: string, about: string) =>
  Type.Optional(nullable(Type.String({ maxLength: 255, description: about, examples: [example] })))

/** D154: what may change; `cpfCnpj` is accepted only to refuse a different one (D39). */
export const FinancialPatch = Type.Object(
  {
    email: Type.Optional(nullable(Type.String({ maxLength: 254, examples: ['ana@aurora.example'] }))),
    phone: Type.Optional(nullable(phone)),
    mobilePhone: Type.Optional(nullable(phone)),
    additionalEmails: Type.Optional(nullable(additionalEmails)),
    address: part('Rua das Flores', 'The street'),
    addressNumber: part('100', 'The number in the street'),
    addressComplement: part('Sala 2', 'Floor, room and the like'),
    addressProvince: part('Centro', 'The neighbourhood, as addressDistrict: either may be sent'),
    addressDistrict: part('Centro', 'The neighbourhood'),
    addressCity: part('Florianópolis', 'The city'),
    addressState: part('SC', 'The state, by its two letters in Brazil'),
    addressCountry: part('Brasil', 'The country'),
    addressZipCode: part('88010-000', 'The postal code; eight digits in Brazil, with or without the dash'),
    cpfCnpj: Type.Optional(nullable(cpfCnpj)),
  },
  { $id: 'FinancialPatch', ...bodyOf('FinancialAccount', { record: FinancialAccount }) },
)
