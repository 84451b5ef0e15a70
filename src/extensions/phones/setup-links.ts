/** D328: links from which a softphone fetches its settings, `senha` included: once, and for ten minutes. */
import { hash } from 'node:crypto'
import { refuse } from '../../contract/errors.ts'
import { type Clock, plusSeconds } from '../../kit/clock.ts'
import { randomBase62 } from '../../kit/ids.ts'
import type { Vault } from '../../kit/vault.ts'
import type { Database } from '../../store/database.ts'
import { recordAudit } from '../../users/audit/audit.ts'
import type { Caller } from '../../users/caller.ts'
import type { Extension } from '../extension.ts'
import { sealPurpose } from './phones.ts'
import { deleteOldLinks, hasLink, takeLink, writeLink } from './setup-links-store.ts'

const linkSeconds = 600
const tokenLength = 32

/** What a phone logs in with. */
export type PhoneAccount = { number: string; password: string; domain: string; displayName: string }

type Deps = { db: Database; clock: Clock; vault: Vault }

export function createSetupLinks({ db, clock, vault }: Deps) {
  const hashOf = (token: string) => hash('sha256', token, 'buffer')

  /** The caller may see the password of the extension. */
  async function create({ accountId, user }: Caller, { id, number }: Extension) {
    const token = randomBase62(tokenLength)
    const now = clock.now()
    const expiresAt = plusSeconds(now, linkSeconds)
    await db.transaction().execute(async (tx) => {
      const isWritten = await writeLink(tx, { extensionId: id, hash: hashOf(token), expiresAt })
      if (!isWritten) throw refuse('EXTENSION_NOT_FOUND')
      await recordAudit(tx, {
        accountId,
        at: now,
        action: 'extension.setup-link-created',
        actor: user.email,
        subject: number,
      })
    })
    return { token, expiresAt }
  }

  /** Uses nothing up. */
  async function check(token: string) {
    if (!(await hasLink(db, hashOf(token), clock.now()))) throw refuse('SETUP_LINK_INVALID')
  }

  /** Uses the link up. */
  async function take(token: string): Promise<PhoneAccount> {
    return await db.transaction().execute(async (tx) => {
      const now = clock.now()
      const found = await takeLink(tx, hashOf(token), now)
      if (!found) throw refuse('SETUP_LINK_INVALID')
      const { account_id: accountId, number, domain } = found
      await recordAudit(tx, {
        accountId,
        at: now,
        action: 'extension.setup-link-used',
        actor: null,
        subject: number,
      })
      return {
        number,
        domain,
        password: vault.open(sealPurpose, found.password),
        displayName: `${found.first_name} ${found.last_name}`,
      }
    })
  }

  return { create, check, take, sweep: () => deleteOldLinks(db, clock.now()) }
}
export type SetupLinks = ReturnType<typeof createSetupLinks>
