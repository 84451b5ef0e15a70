/** Stores where phones have authenticated (D181); read with their passwords. */
import type { ExtensionName } from '../../engine/port.ts'
import { createBatcher } from '../../store/batcher.ts'
import type { Database } from '../../store/database.ts'
import { type PhoneAddresses, putPhoneAddresses } from './phone-addresses-store.ts'

type Deps = { db: Database; onError(error: unknown): void }

export function createPhoneAddresses({ db, onError }: Deps) {
  const put = createBatcher<PhoneAddresses, void>(async (rows) => {
    // The last one of an extension counts.
    const newest = new Map(rows.map((row) => [`${row.extension.number}@${row.extension.domain}`, row]))
    await putPhoneAddresses(db, [...newest.values()])
    return rows.map(() => undefined)
  })

  return {
    remember(extension: ExtensionName, blocks: readonly string[]) {
      put({ extension, blocks }).catch(onError)
    },
  }
}
