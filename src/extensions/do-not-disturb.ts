/** Do not disturb (D675): calls to the extension are busy, whichever phone it has. */
import { refuse } from '../contract/errors.ts'
import type { Clock } from '../kit/clock.ts'
import type { Database } from '../store/database.ts'
import { recordAudit } from '../users/audit/audit.ts'
import type { Caller } from '../users/caller.ts'
import { hasScope } from '../users/scopes.ts'
import { storeDoNotDisturb } from './do-not-disturb-store.ts'
import type { Extensions } from './extensions.ts'
import type { ExtensionProfiles } from './profiles.ts'

type Deps = {
  db: Database
  clock: Clock
  extensions: Pick<Extensions, 'find'>
  profiles: Pick<ExtensionProfiles, 'changed'>
}

export function createDoNotDisturb({ db, clock, extensions, profiles }: Deps) {
  /** Sets one's own extension or, as an ADMIN whose token has the scope `admin`, any; a change of another's is in the audit log. */
  async function set(caller: Caller, id: number, isOn: boolean) {
    const { accountId, user } = caller
    const { owner } = await extensions.find(caller, id)
    const isOwn = owner?.id === user.id
    const maySetAny = user.role === 'ADMIN' && hasScope(caller, 'admin')
    if (!maySetAny && !isOwn) throw refuse('ACCESS_DENIED')
    const now = clock.now()
    await db.transaction().execute(async (tx) => {
      const number = await storeDoNotDisturb(tx, { accountId, id, isOn, now })
      if (number === undefined) throw refuse('EXTENSION_NOT_FOUND')
      if (isOwn) return
      const details = { changed: ['do_not_disturb'], do_not_disturb: isOn }
      await recordAudit(tx, {
        accountId,
        at: now,
        action: 'extension.updated',
        actor: user.email,
        subject: number,
        details,
      })
    })
    profiles.changed(accountId)
  }

  return { set }
}
export type DoNotDisturb = ReturnType<typeof createDoNotDisturb>
