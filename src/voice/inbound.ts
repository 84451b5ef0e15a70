/**
 * Calls that others begin: a phone that dials by itself, or a carrier that brings a call for one of our numbers
 * (D115). Stored before the engine hears where they go.
 */
import type { CallType } from '../contract/calls.ts'
import type { Cause } from '../contract/causes.ts'
import type {
  Accepted,
  Arrival,
  Barred,
  Destination,
  Party,
  TimeLimits,
  VoiceEngine,
} from '../engine/port.ts'
import { type ExtensionProfile, type ExtensionProfiles, nameOf, presentedBy } from '../extensions/profiles.ts'
import type { Clock } from '../kit/clock.ts'
import { uuidv7 } from '../kit/ids.ts'
import { readPhone } from '../kit/phone.ts'
import type { Database } from '../store/database.ts'
import { findUserByEmail } from '../users/users-store.ts'
import type { CallAdmission } from './admission.ts'
import { readDialled } from './dialled.ts'

type Deps = {
  db: Database
  clock: Clock
  profiles: ExtensionProfiles
  engine: Pick<VoiceEngine, 'registration'>
  admission: CallAdmission
  node: string
  limits: TimeLimits
  isClosed: () => boolean
}

type Way = {
  /** Whose call it is: the extension that dials, or the one that is called from outside. */
  profile: ExtensionProfile
  type: CallType
  from: string
  to: string
  destination: Destination
  presented: Party | undefined
}

export function createArrivals({ db, clock, profiles, engine, admission, node, limits, isClosed }: Deps) {
  async function arrive({ from, dialled }: Arrival): Promise<Accepted | Barred> {
    if (isClosed()) return { barred: 'NORMAL_TEMPORARY_FAILURE' }
    const way =
      'extension' in from
        ? await goOut(await profiles.findByName(from.extension), dialled)
        : await comeIn(from.caller, dialled)
    return 'barred' in way ? way : await accept(way)
  }

  async function goOut(profile: ExtensionProfile | undefined, text: string): Promise<Way | Barred> {
    if (!profile) return { barred: 'CALL_REJECTED' }
    const dialled = readDialled(text)
    if ('refused' in dialled) return { barred: barredBy[dialled.refused] }
    if ('number' in dialled) return outgoing(profile, 'outbound', dialled.number, dialled)
    if (dialled.extension === profile.number) return { barred: 'USER_BUSY' }
    const other = await profiles.findByNumber(profile.accountId, dialled.extension)
    if (!other) return { barred: 'UNALLOCATED_NUMBER' }
    return outgoing(profile, 'internal', other.number, { extension: nameOf(other) })
  }

  function outgoing(profile: ExtensionProfile, type: CallType, to: string, destination: Destination): Way {
    return {
      profile,
      type,
      from: profile.number,
      to,
      destination,
      presented: presentedBy(profile, destination),
    }
  }

  /** To the extension whose number was called; of several, the first whose phone is there. */
  async function comeIn(caller: Party | undefined, text: string): Promise<Way | Barred> {
    const number = readPhone(text)
    const sharing = number === undefined ? [] : await profiles.findByCallerNumber(number)
    const profile = sharing.find((one) => engine.registration(nameOf(one))) ?? sharing[0]
    if (!profile) return { barred: 'UNALLOCATED_NUMBER' }
    const from = callerNumber(caller)
    const presented = { ...caller, number: from }
    return {
      profile,
      type: 'inbound',
      from,
      to: profile.number,
      destination: { extension: nameOf(profile) },
      presented,
    }
  }

  async function accept({
    profile,
    type,
    from,
    to,
    destination,
    presented,
  }: Way): Promise<Accepted | Barred> {
    const startedAt = clock.now()
    const callId = uuidv7(startedAt)
    const absent = 'extension' in destination && !engine.registration(destination.extension)
    const owner = await findUserByEmail(db, profile.email)
    const unpaid = await admission.admit({
      id: callId,
      profile,
      type,
      from,
      to,
      startedAt,
      node,
      metadata: '{}',
      user: owner?.accountId === profile.accountId ? owner.user : undefined,
      // A phone that dials has its user there already.
      status: absent ? 'failed' : type === 'inbound' ? 'queued' : 'connecting',
      // A call to a phone that is not there was made all the same.
      ...(absent && { end: { cause: 'USER_NOT_REGISTERED' as const } }),
    })
    if (absent) return { barred: 'USER_NOT_REGISTERED' }
    // Without credit a phone hears the same as from any number that we do not let it call.
    if (unpaid) return { barred: 'OUTGOING_CALL_BARRED' }
    return { callId, destination, presented, record: profile.recordCalls, limits }
  }

  return { arrive }
}

const barredBy: Record<'invalid' | 'barred', Cause> = {
  invalid: 'INVALID_NUMBER_FORMAT',
  barred: 'OUTGOING_CALL_BARRED',
}

/** As numbers are kept, or as the carrier wrote it; those who hide theirs are anonymous. */
function callerNumber(caller: Party | undefined): string {
  const written = caller?.number.trim() ?? ''
  return readPhone(written) ?? (/^[\w+*#.-]{1,40}$/.test(written) ? written : 'anonymous')
}
