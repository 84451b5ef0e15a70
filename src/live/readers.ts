/** Reads what watchers are sent: the state of an account, and single records that hints name. */
import type { Charge } from '../billing/charges/charge.ts'
import type { Balance } from '../billing/ledger/ledger.ts'
import { type LiveCallRow, selectChangedCalls, selectLiveCalls } from '../calls/list/list-store.ts'
import type { Database } from '../store/database.ts'
import type { Delivery } from '../webhooks/deliveries-store.ts'

const maxLiveCalls = 1_000

export type LivePhone = {
  extensionId: number
  number: string
  registeredAt: Date | null
  userAgent: string | null
}
export type LiveDelivery = Delivery & { integrationId: number }
export type LiveCharge = Charge

type Of<Name extends string, T> = ({ accountId: number } & Record<Name, T>)[]

type Deps = {
  db: Database
  /** All registered phones, or those of the named extensions, registered or not; names are `number@domain`. */
  phones: (accountIds: number[], names: string[] | 'registered') => Promise<Of<'phone', LivePhone>>
  balances: (accountIds: number[]) => Promise<Of<'balance', Balance>>
  /** By `integration/event`, with the owner of the integration. */
  deliveries: (
    accountIds: number[],
    keys: string[],
  ) => Promise<{ accountId: number; userId: number; delivery: LiveDelivery }[]>
  charges: (accountIds: number[], ids: number[]) => Promise<Of<'charge', LiveCharge>>
}

export function createLiveReaders({ db, phones, balances, deliveries, charges }: Deps) {
  return {
    async snapshot(accountId: number) {
      const [calls, registered, [credit]] = await Promise.all([
        selectLiveCalls(db, accountId, maxLiveCalls),
        phones([accountId], 'registered'),
        balances([accountId]),
      ])
      const balance = credit?.balance ?? { balance: 0, reserved: 0 }
      return { calls, phones: registered.map(({ phone }) => phone), balance }
    },
    calls: async (accountIds: number[], ids: string[]): Promise<Of<'call', LiveCallRow>> =>
      ids.length === 0 ? [] : await selectChangedCalls(db, accountIds, ids),
    phones: async (accountIds: number[], names: string[]) =>
      names.length === 0 ? [] : await phones(accountIds, names),
    balances: async (accountIds: number[]) => (accountIds.length === 0 ? [] : await balances(accountIds)),
    deliveries: async (accountIds: number[], keys: string[]) =>
      keys.length === 0 ? [] : await deliveries(accountIds, keys),
    charges: async (accountIds: number[], ids: string[]) =>
      ids.length === 0 ? [] : await charges(accountIds, ids.map(Number)),
  }
}
export type LiveReaders = ReturnType<typeof createLiveReaders>
