/**
 * D198: ceilings of integrations. The caller holds the lock of the account's listeners, so that two at once do not pass
 * together.
 */
import { refuse } from '../contract/errors.ts'
import type { Database } from '../store/database.ts'
import type { Caller } from '../users/caller.ts'
import type { IntegrationCeilings } from './integration.ts'
import { readOwners } from './integrations-store.ts'

/** Before one is created. */
export async function checkCount(tx: Database, { accountId, user }: Caller, ceilings: IntegrationCeilings) {
  const all = await readOwners(tx, accountId)
  const own = all.filter((owner) => owner === user.id)
  const { perUser, perAccount } = ceilings
  if (own.length >= perUser) {
    throw refuse('INTEGRATION_LIMIT', {
      message: {
        en: `You have ${own.length} integrations; ${perUser} are the most that one user may have.`,
        pt: `Você tem ${own.length} integrações; cada usuário pode ter no máximo ${perUser}.`,
      },
    })
  }
  if (all.length >= perAccount) {
    throw refuse('INTEGRATION_LIMIT', {
      message: {
        en: `The account has ${all.length} integrations; ${perAccount} are the most that it may have.`,
        pt: `A conta tem ${all.length} integrações; ela pode ter no máximo ${perAccount}.`,
      },
    })
  }
}
