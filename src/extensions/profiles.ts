/**
 * Extensions as calls see them: the phone to ring and the person to name in the call record. Cached, since every call
 * reads one (D385): the database sends a notice when one of an account changes, whichever process changed it.
 */
import type { Destination, ExtensionName, Party } from '../engine/port.ts'
import type { Clock } from '../kit/clock.ts'
import type { Maybe } from '../kit/maybe.ts'
import type { ProofPolicy } from '../numbers/ownership-sql.ts'
import { createBatcher } from '../store/batcher.ts'
import type { Database } from '../store/database.ts'
import type { Notices } from '../store/notices/notices.ts'
import { createNotifiedCache } from '../store/notices/notified-cache.ts'
import {
  defineProfileQueries,
  type ExtensionProfile,
  isCallerNumberOf,
  type ProfileKey,
} from './profiles-store.ts'

const textOf = ({ accountId, number }: ProfileKey) => `${accountId}/${number}`

/** Channel of the triggers of tables that profiles are read from. */
const channel = 'profiles_changed'

type Deps = ProofPolicy & { db: Database; clock: Clock; notices: Notices }

export function createExtensionProfiles({ db, clock, notices, acceptsSandbox }: Deps) {
  const { findProfiles, findProfileByName, findProfilesByCallerNumber } = defineProfileQueries({
    acceptsSandbox,
  })

  const cache = createNotifiedCache<ExtensionProfile>({
    notices,
    clock,
    lifetimeMs: 600_000,
    maxEntries: 20_000,
    ownerOf: ({ accountId }) => accountId,
  })

  notices.listen(channel, (accountId) => cache.invalidateOwner(Number(accountId)))

  /** Batched: calls of the same moment, which may be of many extensions. */
  const findOneOfMany = createBatcher<ProfileKey, ExtensionProfile | undefined>(async (keys) => {
    const rows = await findProfiles(db, keys)
    const profiles = new Map(rows.map((profile) => [textOf(profile), profile]))
    return keys.map((key) => profiles.get(textOf(key)))
  })

  /** Answers synchronously when cached. */
  function findByNumber(accountId: number, number: string): Maybe<ExtensionProfile | undefined> {
    const key = { accountId, number }
    const cached = cache.get(textOf(key))
    return cached ? cached.value : cache.load(textOf(key), () => findOneOfMany(key))
  }

  return {
    findByNumber,
    /** Call it after a commit that changed profiles of the account: the notice comes a moment later. */
    changed: cache.invalidateOwner,
    findByName: (name: ExtensionName) => findProfileByName(db, name),
    /** D113: all extensions with this caller number, of the account that has it verified; others get no calls to it. */
    findByCallerNumber: (number: string) => findProfilesByCallerNumber(db, number, clock.now()),
    isNumberOf: (accountId: number, number: string) => isCallerNumberOf(db, accountId, number),
  }
}
export type ExtensionProfiles = ReturnType<typeof createExtensionProfiles>

export function nameOf({ domain, number }: ExtensionProfile): ExtensionName {
  return { domain, number }
}

/** D148: the user the extension belongs to. */
export function ownerOf({ ownerId, ownerUuid }: ExtensionProfile) {
  return ownerId === null || ownerUuid === null ? undefined : { id: ownerId, uuid: ownerUuid }
}

/**
 * D11: colleagues see the extension and its user, others its caller number. Without one, or until it is verified (D187),
 * they see the trunk's number.
 */
export function presentedBy(profile: ExtensionProfile, destination: Destination): Party | undefined {
  const { number, firstName, lastName, callerNumber, isCallerNumberVerified } = profile
  if ('extension' in destination) return { number, name: `${firstName} ${lastName}` }
  return callerNumber !== null && isCallerNumberVerified ? { number: callerNumber } : undefined
}
