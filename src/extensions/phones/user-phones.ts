/** D490: what becomes of the phones of a user who is removed. */
import type { Clock } from '../../kit/clock.ts'
import { randomBase62 } from '../../kit/ids.ts'
import type { Vault } from '../../kit/vault.ts'
import type { Database } from '../../store/database.ts'
import { recordAudit } from '../../users/audit/audit.ts'
import type { RemovedUser } from '../../users/removed-user.ts'
import { deleteRegistration, lockExtensionsOf, lockNumbers, setPassword } from '../extensions-store.ts'
import { type Phones, sealPurpose } from './phones.ts'

const senhaLength = 20

type Deps = { clock: Clock; vault: Vault; phones: Pick<Phones, 'announce' | 'changed'> }

export function createUserPhones({ clock, vault, phones }: Deps) {
  /**
   * In the transaction that removes the user, before any user is locked: ends the phones of their extensions, which they know
   * the password of, and gives these a new one unless it is kept. What it returns is to be called after the commit.
   */
  async function end(
    tx: Database,
    { userId, accountId, actor, keepsSenha }: RemovedUser,
  ): Promise<() => void> {
    // First, as everybody does who changes the owner of an extension: else the two wait for each other.
    await lockNumbers(tx, accountId)
    const extensions = await lockExtensionsOf(tx, userId)
    const now = clock.now()
    for (const { id, number } of extensions) {
      await deleteRegistration(tx, id)
      if (keepsSenha) continue
      await setPassword(tx, id, vault.seal(sealPurpose, randomBase62(senhaLength)), now)
      await recordAudit(tx, {
        accountId,
        at: now,
        action: 'extension.updated',
        actor,
        subject: number,
        details: { changed: ['senha'] },
      })
    }
    const names = extensions.map(({ domain, number }) => ({ domain, number }))
    await phones.announce(tx, names)
    return () => phones.changed(names)
  }

  return { end }
}
