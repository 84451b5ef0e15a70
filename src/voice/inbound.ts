/**
 * Calls that do not come over the API (D115): a phone that dials, or a carrier with a call for one of our numbers. They
 * are stored before the engine learns where they go.
 */

import type { Admission, CallAdmission } from '../calls/admission/admission.ts'
import { unansweredStatus } from '../calls/call.ts'
import { type DialledRefusal, readDialled } from '../calls/dialled.ts'
import type { CallType } from '../contract/calls/calls.ts'
import { refusalPhrases } from '../contract/calls/refusal-phrases.ts'
import type {
  AcceptedCall,
  CallEvent,
  Destination,
  ExtensionName,
  IncomingCall,
  NodeAddress,
  Party,
  RejectedCall,
  TimeLimits,
  VoiceEngine,
} from '../engine/port.ts'
import { type ExtensionProfiles, nameOf, ownerOf, presentedBy } from '../extensions/profiles.ts'
import type { ExtensionProfile } from '../extensions/profiles-store.ts'
import type { Clock } from '../kit/clock.ts'
import { defined } from '../kit/defined.ts'
import { uuidv7 } from '../kit/ids.ts'
import { readPhone } from '../kit/text/phone.ts'
import type { CallCeilings } from '../limits/ceilings.ts'
import type { CallsHere } from './calls-here.ts'
import type { CreditControl } from './credit-control.ts'

type Deps = {
  clock: Clock
  profiles: ExtensionProfiles
  engine: Pick<VoiceEngine, 'registration'>
  /** The phone of an extension at another node. */
  findNode: (extension: ExtensionName) => Promise<NodeAddress | undefined>
  admission: CallAdmission
  creditControl: Pick<CreditControl, 'start'>
  ceilings: CallCeilings
  callsHere: Pick<CallsHere, 'add'>
  node: string
  limits: TimeLimits
  /** D272: numbers of services and of emergency that trunks take. */
  services: ReadonlySet<string>
  isDraining: () => boolean
  /** D225: its calls may be ended by others, and are hung up. */
  isFenced: () => boolean
  onCall: (event: CallEvent) => void
}

type Plan = {
  /** The extension that dials, or the one that is called from outside. */
  profile: ExtensionProfile
  type: CallType
  from: string
  to: string
  destination: Destination
  presented: Party | undefined
  /** D675: the extension that is called does not want to be disturbed. */
  isBusy: boolean
  /** D282: the call that is transferred by it. */
  transferOf?: string | undefined
  isFree?: boolean
}

export function createInboundCalls(deps: Deps) {
  const { clock, profiles, engine, findNode, admission, creditControl, ceilings } = deps
  const { callsHere, node, limits, services, isDraining, isFenced, onCall } = deps

  async function accept({ from, dialled, transferOf }: IncomingCall): Promise<AcceptedCall | RejectedCall> {
    if (isDraining()) return { rejected: 'NORMAL_TEMPORARY_FAILURE' }
    // D177: beyond the attempts of a minute nothing is looked up and nothing recorded.
    if ('extension' in from && !ceilings.mayDial(`${from.extension.number}@${from.extension.domain}`))
      return { rejected: 'NORMAL_CIRCUIT_CONGESTION' }
    const plan =
      'extension' in from
        ? await planFromPhone(await profiles.findByName(from.extension), dialled)
        : await planFromTrunk(from.callerId, dialled)
    if ('rejected' in plan) return plan
    if (plan.profile.isSuspended) return suspended
    return await storeWithinCeilings({ ...plan, transferOf })
  }

  /** D176: a caller beyond the ceilings gets 503, one who calls an extension with too many calls gets 486. */
  async function storeWithinCeilings(plan: Plan): Promise<AcceptedCall | RejectedCall> {
    const callId = uuidv7(clock.now())
    const { accountId, id: extensionId } = plan.profile
    const refusal = await ceilings.take(callId, { accountId, extensionId, isFree: plan.isFree })
    if (refusal) {
      const isBusy = plan.type === 'inbound' && refusal.reached === 'extension'
      return { rejected: isBusy ? 'USER_BUSY' : 'NORMAL_CIRCUIT_CONGESTION' }
    }
    try {
      const stored = await store(callId, plan)
      if ('rejected' in stored) ceilings.release(callId)
      return stored
    } catch (error) {
      ceilings.release(callId)
      throw error
    }
  }

  async function planFromPhone(
    profile: ExtensionProfile | undefined,
    text: string,
  ): Promise<Plan | RejectedCall> {
    if (!profile) return { rejected: 'CALL_REJECTED' }
    const dialled = readDialled(text, services)
    if ('refused' in dialled) return refusals[dialled.refused]
    if ('service' in dialled) {
      const { service: number } = dialled
      return { ...outgoing(profile, 'outbound', number, { number }), isFree: true }
    }
    if ('number' in dialled) return outgoing(profile, 'outbound', dialled.number, dialled)
    if (dialled.extension === profile.number)
      return { rejected: 'USER_BUSY', phrase: refusalPhrases.ownExtension }
    const other = await profiles.findByNumber(profile.accountId, dialled.extension)
    if (!other) return { rejected: 'UNALLOCATED_NUMBER' }
    const called = outgoing(profile, 'internal', other.number, { extension: nameOf(other) })
    return { ...called, isBusy: other.isUndisturbed }
  }

  function outgoing(profile: ExtensionProfile, type: CallType, to: string, destination: Destination): Plan {
    return {
      profile,
      type,
      from: profile.number,
      to,
      destination,
      presented: presentedBy(profile, destination),
      isBusy: false,
    }
  }

  /** To the extension whose number was called; of several, to the first with a registered phone that may be disturbed. */
  async function planFromTrunk(caller: Party | undefined, text: string): Promise<Plan | RejectedCall> {
    const number = readPhone(text)
    const found = number === undefined ? [] : await profiles.findByCallerNumber(number)
    const disturbable = found.filter(({ isUndisturbed }) => !isUndisturbed)
    const sharing = disturbable.length > 0 ? disturbable : found
    const profile = sharing.find((one) => engine.registration(nameOf(one))) ?? (await firstElsewhere(sharing))
    if (!profile) return { rejected: 'UNALLOCATED_NUMBER' }
    const from = callerNumber(caller)
    const presented = { ...caller, number: from }
    return {
      profile,
      type: 'inbound',
      from,
      to: profile.number,
      destination: { extension: nameOf(profile) },
      presented,
      isBusy: profile.isUndisturbed,
    }
  }

  /** The first with a phone at another node; if there is none, the first. */
  async function firstElsewhere(sharing: ExtensionProfile[]): Promise<ExtensionProfile | undefined> {
    const nodes = await Promise.all(sharing.map((one) => findNode(nameOf(one))))
    return sharing.find((_, index) => nodes[index]) ?? sharing[0]
  }

  async function isAbsent(extension: ExtensionName): Promise<boolean> {
    return !engine.registration(extension) && !(await findNode(extension))
  }

  async function store(callId: string, plan: Plan): Promise<AcceptedCall | RejectedCall> {
    const { profile, type, from, to, destination, presented, isBusy, transferOf, isFree } = plan
    const startedAt = clock.now()
    const user = ownerOf(profile)
    const absent = 'extension' in destination && (await isAbsent(destination.extension))
    const cause = absent ? 'USER_NOT_REGISTERED' : isBusy ? 'USER_BUSY' : undefined
    const admitted = await admission.admit({
      id: callId,
      profile,
      type,
      from,
      to,
      startedAt,
      node,
      metadata: '{}',
      ...defined({ transferOf }),
      ...(isFree && { isFree }),
      user,
      // The user of a phone that dials is on the line already.
      status: cause ? unansweredStatus(cause) : type === 'inbound' ? 'queued' : 'connecting',
      // A call to a phone that is not there, or is not to be disturbed (D675), is recorded as well.
      ...(cause && { end: { cause } }),
    })
    if (cause) return { rejected: cause }
    if (admitted.refused !== undefined) return refusalOf(admitted)
    // The recording of a transferred call goes on.
    const record = profile.recordCalls && transferOf === undefined
    const { accountId, ownerUuid } = profile
    callsHere.add({ id: callId, accountId, userId: user?.id ?? null, extensionUserUuid: ownerUuid })
    if (admitted.grant) creditControl.start(callId, accountId, admitted.grant)
    if (isFenced()) {
      // The node was fenced while the call was being stored.
      onCall({ type: 'ended', callId, at: clock.now(), cause: fencedCause, by: 'service' })
      return { rejected: fencedCause }
    }
    return { callId, destination, presented, record, limits }
  }

  return { accept }
}

const fencedCause = 'NORMAL_TEMPORARY_FAILURE'

/** D616: neither stored nor rung. */
const suspended: RejectedCall = { rejected: 'CALL_REJECTED', phrase: refusalPhrases.suspended }

const refusals: Record<DialledRefusal, RejectedCall> = {
  invalid: { rejected: 'INVALID_NUMBER_FORMAT' },
  barred: { rejected: 'OUTGOING_CALL_BARRED' },
  emergency: { rejected: 'OUTGOING_CALL_BARRED', phrase: refusalPhrases.emergency },
  // D422: the person dialled no number.
  'feature code': { rejected: 'UNALLOCATED_NUMBER', phrase: refusalPhrases.featureCode },
}

/** D610: one status and cause; the phrase tells no credit and a daily limit from a barred number. */
function refusalOf(admission: Admission): RejectedCall {
  const rejected = 'OUTGOING_CALL_BARRED'
  if (admission.refused === 'insufficient') return { rejected, phrase: refusalPhrases.noCredit }
  if (admission.refused === 'limit' && admission.limit.rule !== 'destination')
    return { rejected, phrase: refusalPhrases.dailyLimit }
  return { rejected }
}

/** In the stored form, or as the carrier wrote it; anonymous if the caller withholds it. */
function callerNumber(caller: Party | undefined): string {
  const written = caller?.number.trim() ?? ''
  return readPhone(written) ?? (/^[\w+*#.-]{1,40}$/.test(written) ? written : 'anonymous')
}
