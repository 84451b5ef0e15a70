/** Places and hangs up calls for the API: a call is stored first, then its voice node is asked to place it. */

import { findStage } from '../calls/admission/unclaimed-store.ts'
import type { NewCall } from '../calls/calls-store.ts'
import { readMetadata } from '../calls/metadata.ts'
import { refuse, refuseFields } from '../contract/errors.ts'
import type { ExtensionName } from '../engine/port.ts'
import { type ExtensionProfiles, nameOf, presentedBy } from '../extensions/profiles.ts'
import type { ExtensionProfile } from '../extensions/profiles-store.ts'
import type { Clock } from '../kit/clock.ts'
import { defined } from '../kit/defined.ts'
import { randomBase62, uuidv7 } from '../kit/ids.ts'
import { inEveryLanguage, type Translated } from '../kit/text/language.ts'
import { readPhone } from '../kit/text/phone.ts'
import type { Database } from '../store/database.ts'
import type { InSameTransaction } from '../store/idempotency.ts'
import type { Caller } from '../users/caller.ts'
import type { VoiceCommands, Waiter } from '../voice/commands.ts'
import { type CallChecks, type Called, ownersOf } from './call-checks.ts'

export type PlaceCallRequest = Called & {
  extension: string
  caller?: string | undefined
  /** JSON. */
  metadata?: string | undefined
  /** D149: ring even beside an equal call. */
  allowsDuplicate?: boolean
  client?: Waiter
  /** D5: with a second id, which is good for hanging up only. */
  withDialerId?: boolean
}

export type Keys = { digits: string; to?: 'destination' | 'extension' | undefined }

/** D3: one id everywhere, from this answer to the recording. */
export type CallIds = { id: string; dialerId: string | undefined }

const dialerIdLength = 27
const retryAfter = 5

type Deps = {
  db: Database
  clock: Clock
  profiles: ExtensionProfiles
  commands: VoiceCommands
  checks: CallChecks
}

export function createCalls({ db, clock, profiles, commands, checks }: Deps) {
  async function place(
    caller: Caller,
    request: PlaceCallRequest,
    saveAnswer?: InSameTransaction<CallIds>,
  ): Promise<CallIds> {
    if (!commands.acceptsCalls()) throw refuse('SERVICE_UNAVAILABLE', { retryAfter })
    const metadata = readMetadata(request.metadata)
    const { profile, node } = await findRegistered(caller, request.extension)
    const { destination, to, isFree } = await checks.findDestination(profile, request)
    if ('extension' in destination) await checkPresent(destination.extension)
    const shown = await readShownNumber(profile, request.caller, to)
    const startedAt = clock.now()
    const placed = {
      id: uuidv7(startedAt),
      dialerId: request.withDialerId ? randomBase62(dialerIdLength) : undefined,
    }
    const command = {
      accountId: profile.accountId,
      extensionId: profile.id,
      owners: ownersOf(caller, profile, placed.dialerId),
      request: {
        callId: placed.id,
        extension: nameOf(profile),
        shown: { number: shown, name: to },
        destination,
        presented: presentedBy(profile, destination),
        record: profile.recordCalls,
      },
    }
    const row: NewCall = {
      id: placed.id,
      profile,
      user: caller.user,
      allowsDuplicate: request.allowsDuplicate ?? false,
      ...(request.client && { isWanted: request.client.isWanted }),
      from: profile.number,
      to,
      metadata,
      startedAt,
      node,
      handOver: commands.handOver(node, command),
      ...defined({ dialerId: placed.dialerId }),
      type: 'extension' in destination ? 'internal' : 'outbound',
      status: 'queued',
      ...(isFree && { isFree }),
    }
    const admitted = await checks.admit(row, request, saveAnswer && ((tx) => saveAnswer(tx, placed)))
    const firstEvent = await commands.place({
      node,
      command,
      grant: admitted.grant,
      client: request.client,
    })
    // D501: no node has it, and it rings nowhere.
    if (firstEvent === 'not taken') throw refuse('SERVICE_UNAVAILABLE', { retryAfter })
    // D8: the phone refused before this request was answered.
    if (firstEvent === 'ended') throw refuseFailed(profile.number, to, placed.id)
    return placed
  }

  /** D7: an unknown extension and one without a registered phone are refused, and no call is stored. */
  async function findRegistered(caller: Caller, number: string) {
    const profile = await profiles.findByNumber(caller.accountId, number)
    // D148: a USER dials from their own extensions; those of others are as unknown to them as any.
    if (!profile || !mayUse(caller, profile.ownerId)) {
      throw refuse('EXTENSION_UNKNOWN', { message: noExtension(number) })
    }
    const node = await commands.findNode(nameOf(profile))
    if (node?.takesCalls) return { profile, node: node.id }
    // Its phone will register at another node in a moment, or at the next process there.
    if (node) throw refuse('SERVICE_UNAVAILABLE', { retryAfter })
    throw refuse('EXTENSION_NOT_REGISTERED', { message: notRegistered(number) })
  }

  /** D7: a colleague without a phone. The caller would be rung for nothing. */
  async function checkPresent(colleague: ExtensionName) {
    if (await commands.findNode(colleague)) return
    throw refuse('EXTENSION_NOT_REGISTERED', { message: notRegistered(colleague.number) })
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
    const call = await checks.findToEnd(caller, key)
    if (!(await commands.hangUp(call))) throw refuse('CALL_ENDED')
    return call.id
  }

  /** D280: keys for one side of a call that was answered. */
  async function pressKeys(
    caller: Caller,
    key: string,
    { to = 'destination', digits }: Keys,
  ): Promise<string> {
    const call = await checks.findLive(caller, key)
    const side = to === 'extension' ? 'extension' : 'other'
    if (!call.answered_at) throw refuse('CALL_NOT_ANSWERED')
    const isPressed = await commands.pressKeys(call, side, digits.toUpperCase())
    if (isPressed === undefined) throw refuse('SERVICE_UNAVAILABLE', { retryAfter })
    if (!isPressed) throw refuse('CALL_ENDED')
    return call.id
  }

  /** D563: so that it rang nowhere. */
  const wasNotTaken = async (id: string) => (await findStage(db, id)) === 'not taken'

  return { place, hangUp, pressKeys, wasNotTaken }
}
export type Calls = ReturnType<typeof createCalls>

/** D8: recorded all the same, with its cause. */
export function refuseFailed(from: string, to: string, callId: string) {
  return refuse('CALL_FAILED', {
    message: {
      en: `call from ${from} to ${to} has been failed`,
      pt: `a chamada de ${from} para ${to} falhou`,
    },
    details: inEveryLanguage(() => ({ callId })),
  })
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
