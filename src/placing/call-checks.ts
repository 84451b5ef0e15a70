/** What placing and transferring calls have in common: where a call goes, whether it may, and which call is meant. */

import type { CallAdmission, CreditRefusal } from '../calls/admission/admission.ts'
import type { CallOwners } from '../calls/admission/stored-command.ts'
import { findCall, type NewCall } from '../calls/calls-store.ts'
import { readDialled } from '../calls/dialled.ts'
import { type FieldProblems, problem, refuse, refuseFields } from '../contract/errors.ts'
import type { Destination } from '../engine/port.ts'
import { type ExtensionProfiles, nameOf } from '../extensions/profiles.ts'
import type { ExtensionProfile } from '../extensions/profiles-store.ts'
import type { Clock } from '../kit/clock.ts'
import { isUuid } from '../kit/ids.ts'
import { inEveryLanguage } from '../kit/text/language.ts'
import type { CeilingRefusal } from '../limits/ceilings.ts'
import type { Database } from '../store/database.ts'
import type { Caller } from '../users/caller.ts'
import type { VoiceCommands } from '../voice/commands.ts'
import { refuseByLimit } from './limit-refusals.ts'

/** D5: of the second id of a call. */
const dialerIdShape = /^[0-9A-Za-z]{27}$/
const retryAfter = 5

/** A destination as the client wrote it; `calledField` is the field it came in, for error messages. */
export type Called = { called: string; calledField: 'called' | 'phone' | 'to' }

type Deps = {
  db: Database
  clock: Clock
  profiles: ExtensionProfiles
  admission: CallAdmission
  commands: Pick<VoiceCommands, 'occupy' | 'vacate' | 'findHere'>
  /** D272: numbers of services and of emergency that trunks take. */
  services: ReadonlySet<string>
}

export function createCallChecks({ db, clock, profiles, admission, commands, services }: Deps) {
  /** Accepted means stored. D176: a call beyond the ceilings is refused, and not stored. */
  async function admit(row: NewCall, request: Called, saveAnswer?: (tx: Database) => Promise<void>) {
    const { accountId, id: extensionId, number } = row.profile
    const { id, node, isFree } = row
    const refusal = await commands.occupy({ id, node, accountId, extensionId, isFree })
    if (refusal) throw refuseBeyond(refusal, number)
    try {
      const admitted = await admission.admit(row, saveAnswer)
      if (admitted.refused === 'unwanted') throw refuse('SERVICE_UNAVAILABLE', { retryAfter })
      if (admitted.refused === 'duplicate') throw refuseDuplicate(row.from, row.to, admitted.ringing)
      if (admitted.refused === 'limit') throw refuseByLimit(admitted.limit, request.calledField, clock.now())
      if (admitted.refused !== undefined) throw refuseUnpaid(request, admitted.refused)
      return admitted
    } catch (error) {
      commands.vacate(row.id)
      throw error
    }
  }

  /** D10: a phone number in any notation, or an extension of the account. */
  async function findDestination(
    profile: ExtensionProfile,
    request: Called,
  ): Promise<{ destination: Destination; to: string; isFree?: boolean }> {
    const dialled = readDialled(request.called, services)
    if ('service' in dialled) {
      const { service: number } = dialled
      return { destination: { number }, to: number, isFree: true }
    }
    if ('number' in dialled) return { destination: dialled, to: dialled.number }
    if ('refused' in dialled) throw refuseCalled(request, dialled.refused)
    if (dialled.extension === profile.number) throw refuseCalled(request, 'itself')
    const other = await profiles.findByNumber(profile.accountId, dialled.extension)
    if (!other) throw refuseCalled(request, 'invalid')
    // D675: nobody is rung for a call that will be busy.
    if (other.isUndisturbed) throw refuse('EXTENSION_DO_NOT_DISTURB')
    return { destination: { extension: nameOf(other) }, to: other.number }
  }

  /** D148: a call that is not the caller's to end is as unknown as any. */
  async function findLive(caller: Caller, key: string) {
    const named = isUuid(key) ? { id: key } : dialerIdShape.test(key) ? { dialerId: key } : undefined
    const call = named && (await findCall(db, caller.accountId, named))
    if (!call || !mayEnd(caller, call.user_id, call.extension_user_uuid)) throw refuse('CALL_NOT_FOUND')
    if (call.ended_at) throw refuse('CALL_ENDED')
    return call
  }

  /** D242: a call of this process is found in memory, so that it can be hung up while the database is away. */
  async function findToEnd(caller: Caller, key: string): Promise<{ id: string; node: string }> {
    const call = commands.findHere(key)
    if (!call) return await findLive(caller, key)
    const isTheirs =
      call.accountId === caller.accountId && mayEnd(caller, call.userId, call.extensionUserUuid)
    if (!isTheirs) throw refuse('CALL_NOT_FOUND')
    return call
  }

  return { admit, findDestination, findLive, findToEnd }
}
export type CallChecks = ReturnType<typeof createCallChecks>

export function ownersOf({ user }: Caller, { ownerUuid }: ExtensionProfile, dialerId?: string): CallOwners {
  return { userId: user.id, extensionUserUuid: ownerUuid, dialerId }
}

/** D148: a USER ends the calls they placed, and those on their own extensions. */
function mayEnd({ user }: Caller, userId: number | null, extensionUserUuid: string | null): boolean {
  return user.role === 'ADMIN' || userId === user.id || extensionUserUuid === user.uuid
}

const barred = {
  code: 'exclusion',
  message: {
    en: 'is an emergency or premium number, which may not be called',
    pt: 'é um número de emergência ou de tarifa especial, que não pode ser chamado',
  },
}

const calledProblems = {
  invalid: problem.noPhone,
  barred,
  emergency: barred,
  'feature code': {
    code: 'exclusion',
    message: {
      en: 'is a feature code, of which this service has none',
      pt: 'é um código de função, que este serviço não tem',
    },
  },
  itself: { code: 'exclusion', message: { en: 'is the extension itself', pt: 'é o próprio ramal' } },
  unpriced: problem.unpriced,
}

/** D149: an equal call is ringing. */
function refuseDuplicate(from: string, to: string, callId: string) {
  return refuse('CALL_ALREADY_RINGING', {
    message: {
      en: `A call from ${from} to ${to} is ringing already. Send X-Allow-Duplicate: true to place another.`,
      pt: `Uma chamada de ${from} para ${to} já está tocando. Envie X-Allow-Duplicate: true para fazer outra.`,
    },
    details: inEveryLanguage(() => ({ callId })),
  })
}

/** D9: no credit, or no rate for the number. */
function refuseUnpaid(request: Called, why: CreditRefusal) {
  return why === 'insufficient' ? refuse('INSUFFICIENT_CREDIT') : refuseCalled(request, 'unpriced')
}

/** D176: which ceiling was reached, and how high it is. */
function refuseBeyond({ reached, max }: CeilingRefusal, extension: string) {
  if (reached === 'node') return refuse('SERVICE_UNAVAILABLE', { retryAfter })
  const isExtension = reached === 'extension'
  const message = {
    en: `${isExtension ? `extension ${extension}` : 'the account'} has ${max} calls at once, the most it may have`,
    pt: `${isExtension ? `o ramal ${extension}` : 'a conta'} já tem ${max} chamadas simultâneas, o máximo permitido`,
  }
  return refuse('TOO_MANY_CALLS', { message, retryAfter })
}

function refuseCalled({ calledField }: Called, why: keyof typeof calledProblems) {
  const problems: FieldProblems = { [calledField]: [calledProblems[why]] }
  return refuseFields('Call', problems)
}
