/** Secrets that sign webhooks (D87: signatures): generated here, stored encrypted, shown to their owner. */
import { randomBytes } from 'node:crypto'
import { plusSeconds } from '../kit/clock.ts'
import type { Vault } from '../kit/vault.ts'
import { byteColumns } from '../store/secrets/byte-columns.ts'

const sealPurpose: string = byteColumns.integrations.secret.purpose
const loginPurpose = byteColumns.integrations.url_login.purpose
const bytes = 32
const maxCached = 5_000
/** After a rotation, how long the old secret signs beside the new one. */
const overlapSeconds = 24 * 3600

export type SealedSecrets = { secret: Buffer; old_secret: Buffer | null; old_secret_until: Date | null }

export const makeWebhookSecret = () => `whsec_${randomBytes(bytes).toString('base64')}`

export function createWebhookSecrets(vault: Vault) {
  const seal = () => vault.seal(sealPurpose, makeWebhookSecret())
  const cache = new Map<string, string>()

  /** Cached: each secret signs thousands of messages. */
  function open(sealed: Buffer, purpose = sealPurpose): string {
    const name = sealed.toString('latin1')
    const known = cache.get(name)
    if (known !== undefined) return known
    const [oldest] = cache.keys()
    if (cache.size >= maxCached && oldest !== undefined) cache.delete(oldest)
    const secret = vault.open(purpose, sealed)
    cache.set(name, secret)
    return secret
  }

  return {
    make: (): SealedSecrets => ({ secret: seal(), old_secret: null, old_secret_until: null }),
    rotate: ({ secret }: { secret: Buffer }, now: Date): SealedSecrets => ({
      secret: seal(),
      old_secret: secret,
      old_secret_until: plusSeconds(now, overlapSeconds),
    }),
    open: (sealed: Buffer) => open(sealed),
    /** D151: `user:password` of the webhook's URL. */
    sealLogin: (login: string) => vault.seal(loginPurpose, login),
    openLogin: (sealed: Buffer) => open(sealed, loginPurpose),
    /** The secrets that sign now, the newest first. */
    openAll({ secret, old_secret, old_secret_until }: SealedSecrets, now: Date): string[] {
      const isOldValid = old_secret && old_secret_until && old_secret_until > now
      return isOldValid ? [open(secret), open(old_secret)] : [open(secret)]
    },
  }
}
export type WebhookSecrets = ReturnType<typeof createWebhookSecrets>
