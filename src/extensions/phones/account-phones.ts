/** D616: what becomes of the phones of an account that is suspended or released. */
import type { Clock } from '../../kit/clock.ts'
import type { Database } from '../../store/database.ts'
import type { ExtensionProfiles } from '../profiles.ts'
import { deleteRegistrationsOf, touchExtensions } from './account-phones-store.ts'
import type { Phones } from './phones.ts'

type Deps = {
  clock: Clock
  phones: Pick<Phones, 'announce' | 'changed'>
  profiles: Pick<ExtensionProfiles, 'changed'>
}

export function createAccountPhones({ clock, phones, profiles }: Deps) {
  /**
   * Every phone of the account must register again, which it may or may not, and every process reads its credentials anew.
   * Call it in the transaction, after the account is changed; what it returns is to be called after the commit.
   */
  async function end(
    tx: Database,
    { accountId, domain }: { accountId: number; domain: string },
  ): Promise<() => void> {
    const numbers = await touchExtensions(tx, accountId, clock.now())
    await deleteRegistrationsOf(tx, accountId)
    const names = numbers.map((number) => ({ domain, number }))
    await phones.announce(tx, names)
    return () => {
      profiles.changed(accountId)
      phones.changed(names)
    }
  }

  return { end }
}
export type AccountPhones = ReturnType<typeof createAccountPhones>
