/** Spec §4.3, the financial account. */

import {
  addressParts,
  type FinancialAccount as FinancialRecord,
  wireNameOf,
} from '../../../accounts/financial.ts'
import type { FinancialAccounts } from '../../../accounts/financial-accounts.ts'
import { FinancialAccount, FinancialActivation, FinancialPatch } from '../../../contract/money/financial.ts'
import type { Type } from '../../../contract/schema/type.ts'
import { defined } from '../../../kit/defined.ts'
import { type AnyEntry, entry } from '../../entry.ts'

const tag = 'Account'

export function financialRoutes({ financial }: { financial: FinancialAccounts }): AnyEntry[] {
  return [
    entry({
      method: 'GET',
      path: '/accounts/financial',
      tag,
      about: 'Show who pays for the account',
      may: 'financial.manage',
      scope: 'billing',
      limit: 'other',
      reply: FinancialAccount,
      run: async ({ caller }) => present(await financial.read(caller)),
    }),
    entry({
      method: 'POST',
      path: '/accounts/financial',
      tag,
      about: 'Store the tax id of who pays; once active it cannot be changed',
      may: 'financial.manage',
      scope: 'billing',
      limit: 'other',
      body: FinancialActivation,
      reply: FinancialAccount,
      errors: ['FINANCIAL_LOCKED', 'PAYMENT_GATEWAY_DOWN'],
      run: async ({ caller, body }) => present(await financial.activate(caller, body.cpfCnpj)),
    }),
    entry({
      method: 'PUT',
      path: '/accounts/financial',
      tag,
      about: 'Change the contacts and the address of who pays',
      may: 'financial.manage',
      scope: 'billing',
      limit: 'other',
      body: FinancialPatch,
      reply: FinancialAccount,
      errors: ['FINANCIAL_LOCKED'],
      async run({ caller, body: { cpfCnpj, ...body } }) {
        return present(await financial.update(caller, fromWire(body), cpfCnpj))
      },
    }),
  ]
}

type PatchBody = Omit<Type.Static<typeof FinancialPatch>, 'cpfCnpj'>

function fromWire({ email, phone, mobilePhone, additionalEmails, ...address }: PatchBody) {
  const given = addressParts.flatMap((part) => {
    const value = address[wireNameOf(part) as keyof typeof address]
    return value === undefined ? [] : [[part, value] as const]
  })
  return {
    ...defined({ email, phone, mobilePhone, additionalEmails }),
    ...(given.length > 0 && { address: Object.fromEntries(given) }),
  }
}

function present({ taxId, address, ...rest }: FinancialRecord) {
  return {
    ...rest,
    cpfCnpj: taxId,
    address: address.address,
    addressNumber: address.number,
    addressComplement: address.complement,
    addressProvince: address.province,
    addressDistrict: address.district,
    addressCity: address.city,
    addressState: address.state,
    addressCountry: address.country,
    addressZipCode: address.zipCode,
  }
}
