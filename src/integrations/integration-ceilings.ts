/**
 * D198: ceilings of integrations, so that one call does not become hundreds of requests to one receiver. The caller holds
 * the lock of the account's listeners, so that two at once do not pass together.
 */
import { refuse } from '../contract/errors.ts'
import type { Database } from '../store/database.ts'
import type { Caller } from '../users/caller.ts'
import type { IntegrationCeilings } from './integration.ts'
import { type IntegrationTarget, readTargets } from './integrations-store.ts'

/** Before one is created. */
export async function checkCount(tx: Database, { accountId, user }: Caller, ceilings: IntegrationCeilings) {
  const all = await readTargets(tx, accountId)
  const own = all.filter(({ user_id }) => user_id === user.id)
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

type Target = Pick<IntegrationTarget, 'webhook' | 'url'>

/** Before one is created or changed. One that stays at its host may be changed, however many there are. */
export async function checkHost(
  tx: Database,
  { accountId }: Caller,
  { perHost }: IntegrationCeilings,
  target: Target,
  id?: number,
) {
  const host = hostOf(target)
  if (host === undefined) return
  const all = await readTargets(tx, accountId)
  if (all.some((one) => one.id === id && hostOf(one) === host)) return
  if (all.filter((one) => one.id !== id && hostOf(one) === host).length < perHost) return
  throw refuse('INTEGRATION_HOST_LIMIT', {
    message: {
      en: `The account has ${perHost} webhooks at ${host}, the most that one host may have.`,
      pt: `A conta já tem ${perHost} webhooks em ${host}, o máximo por host.`,
    },
  })
}

/** Of a webhook that is on. The port does not matter: it is the same machine. */
function hostOf({ webhook, url }: Target): string | undefined {
  return webhook && url !== null && URL.canParse(url) ? new URL(url).hostname : undefined
}
