/** The caller's financial account: read, activated by a tax id, its contacts changed; the gateway's customer is kept in sync. */

import { refuse } from '../contract/errors.ts'
import { type Clock, plusSeconds } from '../kit/clock.ts'
import { defined } from '../kit/defined.ts'
import type { Log } from '../kit/process/log.ts'
import { readTaxId, type TaxId } from '../kit/text/tax-id.ts'
import type { Customer, PaymentGateway } from '../payments/port.ts'
import type { Database } from '../store/database.ts'
import { type Action, recordAudit } from '../users/audit/audit.ts'
import type { Caller } from '../users/caller.ts'
import { readAccount } from './accounts-store.ts'
import {
  addressParts,
  checkTaxId,
  type FinancialAccount,
  type FinancialPatch,
  readFinancialPatch,
  refuseTaxId,
  setByPost,
  wireNameOf,
} from './financial.ts'
import {
  addressColumns,
  claimUnsynced,
  type FinancialRow,
  putContacts,
  putInactive,
  readFinancial,
  toFinancial,
  updateFinancial,
} from './financial-store.ts'

const retryAfter = 30
const batchSize = 20
const retrySeconds = [30, 120, 600, 3600]
const claimSeconds = 120

type Deps = {
  db: Database
  clock: Clock
  log: Log
  gateway: PaymentGateway
  /** Runs in the transaction in which the tax id of an account is accepted. */
  onTaxId?:
    | ((tx: Database, account: { id: number; email: string; taxId: string }) => Promise<void>)
    | undefined
}

export function createFinancialAccounts({ db, clock, log, gateway, onTaxId }: Deps) {
  let wake = () => {}

  async function read({ accountId }: Caller): Promise<FinancialAccount> {
    const row = await readFinancial(db, accountId)
    return row ? toFinancial(row) : emptyAccount
  }

  /** D37, D39: the gateway decides first. Of two concurrent requests with different ids the second is refused as locked. */
  async function activate(caller: Caller, text: string): Promise<FinancialAccount> {
    const id = checkTaxId(text)
    const before = await readFinancial(db, caller.accountId)
    if (before?.status === 'ACTIVE') return checkSame(before, id)
    const account = await readAccount(db, caller.accountId)
    const { name, email, phone } = account
    const known = { name, email, phone, company: name }
    const answer = await gateway.putCustomer({
      ...known,
      email: before?.email ?? email,
      phone: before?.phone ?? phone,
      reference: caller.accountUuid,
      taxId: id.id,
      ...(before && contactsOf(before)),
    })
    if (!answer.ok && answer.why !== 'refused') {
      log.warn({ account: caller.accountId, ...answer }, 'the payment gateway did not accept a customer')
      throw refuse('PAYMENT_GATEWAY_DOWN', { retryAfter })
    }
    const status = answer.ok ? ('ACTIVE' as const) : ('REJECTED' as const)
    const row = await db.transaction().execute(async (tx) => {
      const now = clock.now()
      const put = await putInactive(tx, {
        ...known,
        account_id: caller.accountId,
        status,
        tax_id: id.id,
        person_type: id.person,
        created_at: now,
        updated_at: now,
        ...(answer.ok && { gateway: gateway.name, customer_id: answer.customerId }),
      })
      if (put && answer.ok) await onTaxId?.(tx, { id: account.id, email: account.email, taxId: id.id })
      if (put) await audit(tx, caller, answer.ok ? 'financial.activated' : 'financial.rejected', [])
      return put
    })
    if (row && !answer.ok) throw refuseTaxId()
    // A concurrent request has activated the account.
    return row ? toFinancial(row) : checkSame(await readFinancial(db, caller.accountId), id)
  }

  /** D39: an active account keeps its tax id. */
  function checkSame(row: FinancialRow | undefined, { id }: TaxId): FinancialAccount {
    if (row?.tax_id !== id) throw refuse('FINANCIAL_LOCKED')
    return toFinancial(row)
  }

  /** Changes contacts and address (D154). A tax id other than the stored one is refused rather than ignored (D39). */
  async function update(
    caller: Caller,
    patch: FinancialPatch,
    taxId?: string | null,
  ): Promise<FinancialAccount> {
    const before = await readFinancial(db, caller.accountId)
    const changes = readFinancialPatch(patch, before?.address_country)
    if (taxId?.trim()) checkUnchanged(before, taxId)
    const { address = {}, ...contacts } = changes
    const changed = [...Object.keys(contacts), ...Object.keys(address).map(wireNameOf)]
    if (changed.length === 0) return await read(caller)
    const row = await db.transaction().execute(async (tx) => {
      const now = clock.now()
      const put = await putContacts(
        tx,
        { account_id: caller.accountId, status: 'PENDING', created_at: now, updated_at: now },
        {
          ...defined({
            email: changes.email,
            phone: changes.phone,
            mobile_phone: changes.mobilePhone,
            additional_emails: changes.additionalEmails,
          }),
          ...addressColumns(address),
          updated_at: now,
        },
      )
      if (put.status === 'ACTIVE') await updateFinancial(tx, caller.accountId, { tell_at: now, tries: 0 })
      await audit(tx, caller, 'financial.updated', changed)
      return put
    })
    wake()
    return toFinancial(row)
  }

  function checkUnchanged(before: FinancialRow | undefined, taxId: string) {
    if (before?.tax_id && readTaxId(taxId)?.id === before.tax_id) return
    if (before?.status === 'ACTIVE') throw refuse('FINANCIAL_LOCKED')
    checkTaxId(taxId)
    throw refuseTaxId(setByPost)
  }

  /** D36: the customer at the gateway in use, created there if another gateway accepted the tax id. */
  async function customerOf({ accountId, accountUuid }: Caller): Promise<{ customerId: string } | undefined> {
    const row = await readFinancial(db, accountId)
    if (row?.status !== 'ACTIVE') return undefined
    if (row.gateway === gateway.name && row.customer_id !== null) return { customerId: row.customer_id }
    const answer = await gateway.putCustomer(toCustomer(row, accountUuid))
    if (!answer.ok) throw refuse('PAYMENT_GATEWAY_DOWN', { retryAfter })
    await updateFinancial(db, accountId, { gateway: gateway.name, customer_id: answer.customerId })
    return { customerId: answer.customerId }
  }

  /** Sends changed contacts to the gateway. */
  async function tick() {
    const now = clock.now()
    for (const row of await claimUnsynced(db, now, plusSeconds(now, claimSeconds), batchSize)) {
      const { uuid } = await readAccount(db, row.account_id)
      const answer = await gateway.putCustomer(toCustomer(row, uuid))
      const next = answer.ok || answer.why === 'refused' ? undefined : retrySeconds[row.tries]
      if (!answer.ok)
        log.warn(
          { account: row.account_id, ...answer },
          'the gateway did not accept changed contacts of a customer',
        )
      // Contacts that changed again during the request are sent by the next tick.
      const unchanged =
        (await readFinancial(db, row.account_id))?.updated_at.getTime() === row.updated_at.getTime()
      if (!unchanged) continue
      await updateFinancial(db, row.account_id, {
        ...(answer.ok && { gateway: gateway.name, customer_id: answer.customerId }),
        tell_at: next === undefined ? null : plusSeconds(clock.now(), next),
        tries: next === undefined ? 0 : row.tries + 1,
      })
    }
  }

  function toCustomer(row: FinancialRow, reference: string): Customer {
    return {
      reference,
      taxId: row.tax_id ?? '',
      name: row.name ?? '',
      ...(row.gateway === gateway.name && row.customer_id !== null && { customerId: row.customer_id }),
      ...(row.company !== null && { company: row.company }),
      ...(row.email !== null && { email: row.email }),
      ...contactsOf(row),
    }
  }

  async function audit(tx: Database, caller: Caller, action: Action, changed: string[]) {
    const { accountId, user } = caller
    await recordAudit(tx, {
      accountId,
      at: clock.now(),
      action,
      actor: user.email,
      ...(changed.length > 0 && { details: { changed } }),
    })
  }

  return {
    read,
    activate,
    update,
    customerOf,
    tick,
    onWake(listener: () => void) {
      wake = listener
    },
  }
}
export type FinancialAccounts = ReturnType<typeof createFinancialAccounts>

/** The contacts and the address, without what is unset. */
function contactsOf(row: FinancialRow): Partial<Customer> {
  // The gateway's "province" is the neighbourhood, and so clients send it in either field.
  const neighbourhood = row.address_district ?? row.address_province
  return {
    ...(row.phone !== null && { phone: row.phone }),
    ...(row.mobile_phone !== null && { mobilePhone: row.mobile_phone }),
    additionalEmails: row.additional_emails?.split(',') ?? [],
    ...(row.address !== null && { address: row.address }),
    ...(row.address_number !== null && { addressNumber: row.address_number }),
    ...(row.address_complement !== null && { addressComplement: row.address_complement }),
    ...(neighbourhood !== null && { addressDistrict: neighbourhood }),
    ...(row.address_zip_code !== null && { addressZipCode: row.address_zip_code }),
  }
}

const emptyAccount: FinancialAccount = {
  status: 'PENDING',
  company: null,
  name: null,
  email: null,
  phone: null,
  mobilePhone: null,
  personType: null,
  taxId: null,
  additionalEmails: null,
  address: Object.fromEntries(addressParts.map((part) => [part, null])) as FinancialAccount['address'],
}
