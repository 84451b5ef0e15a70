/** The secrets that sign what a webhook is sent (D87): made by us, kept sealed, shown to their owner. */
import { randomBytes } from 'node:crypto'
import { plusSeconds } from '../kit/clock.ts'
import type { Vault } from '../kit/vault.ts'

const sealPurpose = 'webhook secret'
const bytes = 32
const mostOpened = 5_000
/** How long the old one goes on signing beside the new. */
const overlapSeconds = 24 * 3600

export type SealedSecrets = { secret: Buffer; old_secret: Buffer | null; old_secret_until: Date | null }

export function createWebhookSecrets(vault: Vault) {
  const seal = () => vault.seal(sealPurpose, `whsec_${randomBytes(bytes).toString('base64')}`)
  const opened = new Map<string, string>()

  /** Remembered: each signs thousands of times. */
  function open(sealed: Buffer): string {
    const name = sealed.toString('latin1')
    const known = opened.get(name)
    if (known !== undefined) return known
    const [oldest] = opened.keys()
    if (opened.size >= mostOpened && oldest !== undefined) opened.delete(oldest)
    const secret = vault.open(sealPurpose, sealed)
    opened.set(name, secret)
    return secret
  }

  return {
    make: (): SealedSecrets => ({ secret: seal(), old_secret: null, old_secret_until: null }),
    rotate: ({ secret }: { secret: Buffer }, now: Date): SealedSecrets => ({
      secret: seal(),
      old_secret: secret,
      old_secret_until: plusSeconds(now, overlapSeconds),
    }),
    open,
    /** Those that sign now, the newest first. */
    openAll({ secret, old_secret, old_secret_until }: SealedSecrets, now: Date): string[] {
      const oldHolds = old_secret && old_secret_until && old_secret_until > now
      return oldHolds ? [open(secret), open(old_secret)] : [open(secret)]
    },
  }
}
export type WebhookSecrets = ReturnType<typeof createWebhookSecrets>
