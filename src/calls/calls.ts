/** Places and hangs up calls for the API: a call is stored first, then its voice node is asked to place it. */
import { type FieldProblems, problem, refuse, refuseFields } from '../contract/errors.ts'
import type { Destination } from '../engine/port.ts'
import { type ExtensionProfiles, nameOf, presentedBy } from '../extensions/profiles.ts'
import type { ExtensionProfile } from '../extensions/profiles-store.ts'
import type { Clock } from '../kit/clock.ts'
import { isUuid, randomBase62, uuidv7 } from '../kit/ids.ts'
import { inEveryLanguage, type Translated } from '../kit/language.ts'
import { readPhone } from '../kit/phone.ts'
import type { Database } from '../store/database.ts'
import type { InSameTransaction } from '../store/idempotency.ts'
import type { Caller } from '../users/caller.ts'
import type { CallAdmission, CreditRefusal } from '../voice/admission.ts'
import { findCall, type NewCall } from '../voice/calls-store.ts'
import type { CeilingRefusal } from '../voice/ceilings.ts'
import type { VoiceCommands } from '../voice/commands.ts'
import { readDialled } from '../voice/dialled.ts'
import { refuseByLimit } from './limit-refusals.ts'
import { readMetadata } from './metadata.ts'

export type PlaceCallRequest = {
  extension: string
  called: string
  /** The field in which `called` came, for error messages. */
  calledField: 'called' | 'phone'
  caller?: string | undefined
  /** JSON. */
  metadata?: string | undefined
  /** D149: ring even beside an equal call. */
  allowsDuplicate?: boolean
  /** D227: whether somebody still waits for the answer. */
  isWanted?: () => boolean
  /** D5: with a second id, which is good for hanging up only. */
  withDialerId?: boolean
}

export type Keys = { digits: string; to?: 'destination' | 'extension' | undefined }

/** D3: one id everywhere, from this answer to the recording. */
export type CallIds = { id: string; dialerId: string | undefined }

const dialerIdLength = 27
const dialerIdShape = /^[0-9A-Za-z]{27}$/
const retryAfter = 5

type Deps = {
  db: Database
  clock: Clock
  profiles: ExtensionProfiles
  admission: CallAdmission
  commands: VoiceCommands
}

export function createCalls({ db, clock, profiles, admission, commands }: Deps) {
  async function place(
    caller: Caller,
    request: PlaceCallRequest,
    saveAnswer?: InSameTransaction<CallIds>,
  ): Promise<CallIds> {
    if (!commands.acceptsCalls()) throw refuse('SERVICE_UNAVAILABLE', { retryAfter })
    const metadata = readMetadata(request.metadata)
    const { profile, node } = await findRegistered(caller, request.extension)
    const { destination, to } = await findDestination(profile, request)
    const shown = await readShownNumber(profile, request.caller, to)
    const startedAt = clock.now()
    const placed = {
      id: uuidv7(startedAt),
      dialerId: request.withDialerId ? randomBase62(dialerIdLength) : undefined,
    }
    const row = {
      id: placed.id,
      profile,
      user: caller.user,
      allowsDuplicate: request.allowsDuplicate ?? false,
      ...(request.isWanted && { isWanted: request.isWanted }),
      from: profile.number,
      to,
      metadata,
      startedAt,
      node,
      ...(placed.dialerId !== undefined && { dialerId: placed.dialerId }),
      type: 'extension' in destination ? ('internal' as const) : ('outbound' as const),
      status: 'queued' as const,
    }
    const admitted = await admitWithinCeilings(row, request, saveAnswer && ((tx) => saveAnswer(tx, placed)))
    const firstEvent = await commands.place({
      node,
      accountId: profile.accountId,
      grant: admitted.grant,
      isWanted: request.isWanted,
      request: {
        callId: placed.id,
        extension: nameOf(profile),
        shown: { number: shown, name: to },
        destination,
        presented: presentedBy(profile, destination),
        record: profile.recordCalls,
      },
    })
    // D8: the phone refused before this request was answered.
    if (firstEvent?.type === 'ended') {
      throw refuse('CALL_FAILED', { message: callFailed(profile.number, to) })
    }
    return placed
  }

  /** Accepted means stored. D176: a call beyond the ceilings is refused, and not stored. */
  async function admitWithinCeilings(
    row: NewCall,
    request: PlaceCallRequest,
    saveAnswer: ((tx: Database) => Promise<void>) | undefined,
  ) {
    const { accountId, id: extensionId, number } = row.profile
    const refusal = await commands.occupy({ id: row.id, accountId, extensionId })
    if (refusal) throw refuseBeyond(refusal, number)
    try {
      const admitted = saveAnswer ? await admission.admitWith(row, saveAnswer) : await admission.admit(row)
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

  /** D7: an unknown extension and one without a registered phone are refused, and no call is stored. */
  async function findRegistered(caller: Caller, number: string) {
    const profile = await profiles.findByNumber(caller.accountId, number)
    // D148: a USER dials from their own extensions; those of others are as unknown to them as any.
    if (!profile || !mayUse(caller, profile.ownerId)) {
      throw refuse('EXTENSION_UNKNOWN', { message: noExtension(number) })
    }
    const node = commands.findNode(nameOf(profile))
    if (node !== undefined) return { profile, node }
    throw refuse('EXTENSION_NOT_REGISTERED', { message: notRegistered(number) })
  }

  /** D10: a phone number in any notation, or an extension of the account. */
  async function findDestination(
    profile: ExtensionProfile,
    request: PlaceCallRequest,
  ): Promise<{ destination: Destination; to: string }> {
    const dialled = readDialled(request.called)
    if ('number' in dialled) return { destination: dialled, to: dialled.number }
    if ('refused' in dialled) throw refuseCalled(request, dialled.refused)
    if (dialled.extension === profile.number) throw refuseCalled(request, 'itself')
    const other = await profiles.findByNumber(profile.accountId, dialled.extension)
    if (!other) throw refuseCalled(request, 'invalid')
    return { destination: { extension: nameOf(other) }, to: other.number }
  }

  /** D11: the extension's phone is called from the destination, which it can dial back, or from a number of the account. */
  async function readShownNumber(profile: ExtensionProfile, given: string | undefined, to: string) {
    const shown = given?.trim() || profile.number
    if (shown === profile.number) return to
    const number = readPhone(shown)
    if (number !== undefined && (await profiles.isNumberOf(profile.accountId, number))) return number
    throw refuseFields('Call', { caller: [notOurs] })
  }

  /** D13: by either id of the call, answered once its end is stored. */
  async function hangUp(caller: Caller, key: string): Promise<string> {
    const call = await findLive(caller, key)
    if (!(await commands.hangUp(call))) throw refuse('CALL_ENDED')
    return call.id
  }

  /** D148: a call that is not the caller's to end is as unknown as any. */
  async function findLive(caller: Caller, key: string) {
    const named = isUuid(key) ? { id: key } : dialerIdShape.test(key) ? { dialerId: key } : undefined
    const call = named && (await findCall(db, caller.accountId, named))
    if (!call || !mayEnd(caller, call)) throw refuse('CALL_NOT_FOUND')
    if (call.ended_at) throw refuse('CALL_ENDED')
    return call
  }

  /** D280: keys for one side of a call that was answered. */
  async function pressKeys(
    caller: Caller,
    key: string,
    { to = 'destination', digits }: Keys,
  ): Promise<string> {
    const call = await findLive(caller, key)
    const side = to === 'extension' ? 'extension' : 'other'
    if (!call.answered_at) throw refuse('CALL_NOT_ANSWERED')
    if (!(await commands.pressKeys(call, side, digits.toUpperCase()))) throw refuse('CALL_ENDED')
    return call.id
  }

  return { place, hangUp, pressKeys }
}
export type Calls = ReturnType<typeof createCalls>

function callFailed(from: string, to: string): Translated<string> {
  return {
    en: `call from ${from} to ${to} has been failed`,
    pt: `a chamada de ${from} para ${to} falhou`,
  }
}

function noExtension(number: string): Translated<string> {
  return {
    en: `there is no extension ${number} in this account`,
    pt: `o ramal ${number} não existe nesta conta`,
  }
}

function notRegistered(number: string): Translated<string> {
  return {
    en: `extension ${number}: user not registered`,
    pt: `ramal ${number}: nenhum telefone registrado`,
  }
}

const notOurs = {
  code: 'inclusion',
  message: {
    en: 'must be the extension number or a number of the account',
    pt: 'deve ser o número do ramal ou um número da conta',
  },
}

/** D148: an ADMIN uses every extension of the account, a USER their own. */
function mayUse({ user }: Caller, ownerId: number | null): boolean {
  return user.role === 'ADMIN' || user.id === ownerId
}

type Parties = { user_id: number | null; extension_user_uuid: string | null }

/** D148: a USER ends the calls they placed, and those on their own extensions. */
function mayEnd({ user }: Caller, call: Parties): boolean {
  return user.role === 'ADMIN' || call.user_id === user.id || call.extension_user_uuid === user.uuid
}
const calledProblems = {
  invalid: problem.noPhone,
  barred: {
    code: 'exclusion',
    message: {
      en: 'is an emergency or premium number, which may not be called',
      pt: 'é um número de emergência ou de tarifa especial, que não pode ser chamado',
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
function refuseUnpaid(request: PlaceCallRequest, why: CreditRefusal) {
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

function refuseCalled({ calledField }: PlaceCallRequest, why: keyof typeof calledProblems) {
  const problems: FieldProblems = { [calledField]: [calledProblems[why]] }
  return refuseFields('Call', problems)
}
