/** SQL of financial accounts, and of the queue of contacts to send to the gateway. */
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { Database } from '../store/database.ts'
import type { Tables } from '../store/tables.ts'
import type { Address, FinancialAccount } from './financial.ts'

export type FinancialRow = Selectable<Tables['financial_accounts']>

export async function readFinancial(db: Database, accountId: number): Promise<FinancialRow | undefined> {
  return await db
    .selectFrom('financial_accounts')
    .selectAll()
    .where('account_id', '=', accountId)
    .executeTakeFirst()
}

/** Inserts or updates; returns undefined, without a change, if the account is active. */
export async function putInactive(
  tx: Database,
  row: Insertable<Tables['financial_accounts']>,
): Promise<FinancialRow | undefined> {
  const { account_id: _same, created_at: _kept, ...change } = row
  // The contacts of the financial account take precedence over those of the sign-up.
  const email = sql<string | null>`coalesce(financial_accounts.email, excluded.email)`
  const phone = sql<string | null>`coalesce(financial_accounts.phone, excluded.phone)`
  return await tx
    .insertInto('financial_accounts')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .column('account_id')
        .doUpdateSet({ ...change, email, phone })
        .where('financial_accounts.status', '<>', 'ACTIVE'),
    )
    .returningAll()
    .executeTakeFirst()
}

/** The columns of the parts that are given. */
export function addressColumns(address: Partial<Address>): Partial<FinancialRow> {
  const columns: Record<keyof Address, keyof FinancialRow> = {
    address: 'address',
    number: 'address_number',
    complement: 'address_complement',
    province: 'address_province',
    district: 'address_district',
    city: 'address_city',
    state: 'address_state',
    country: 'address_country',
    zipCode: 'address_zip_code',
  }
  return Object.fromEntries(
    Object.entries(address).map(([part, value]) => [columns[part as keyof Address], value]),
  )
}

export async function putContacts(
  tx: Database,
  row: Insertable<Tables['financial_accounts']>,
  change: Pick<FinancialRow, 'updated_at'> & Partial<Omit<FinancialRow, 'account_id'>>,
): Promise<FinancialRow> {
  return await tx
    .insertInto('financial_accounts')
    .values({ ...row, ...change })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet(change))
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function updateFinancial(
  db: Database,
  accountId: number,
  change: Updateable<Tables['financial_accounts']>,
) {
  await db.updateTable('financial_accounts').set(change).where('account_id', '=', accountId).execute()
}

/** Claims the accounts whose contacts the gateway does not have yet; other processes leave them alone until `retryAt`. */
export async function claimUnsynced(
  db: Database,
  now: Date,
  retryAt: Date,
  limit: number,
): Promise<FinancialRow[]> {
  return await db
    .updateTable('financial_accounts')
    .set({ tell_at: retryAt })
    .where('account_id', 'in', (due) =>
      due
        .selectFrom('financial_accounts')
        .select('account_id')
        .where('tell_at', '<=', now)
        .orderBy('tell_at')
        .limit(limit)
        .forUpdate()
        .skipLocked(),
    )
    .returningAll()
    .execute()
}

export function toFinancial(row: FinancialRow): FinancialAccount {
  return {
    status: row.status,
    company: row.company,
    name: row.name,
    email: row.email,
    phone: row.phone,
    mobilePhone: row.mobile_phone,
    personType: row.person_type,
    taxId: row.tax_id,
    address: {
      address: row.address,
      number: row.address_number,
      complement: row.address_complement,
      province: row.address_province,
      district: row.address_district,
      city: row.address_city,
      state: row.address_state,
      country: row.address_country,
      zipCode: row.address_zip_code,
    },
    additionalEmails: row.additional_emails,
  }
}
