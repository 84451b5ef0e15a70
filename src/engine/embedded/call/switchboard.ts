/** All live calls: those placed over the API, and those whose INVITE came to us. */

import type { Cause } from '../../../contract/calls/causes.ts'
import { defined } from '../../../kit/defined.ts'
import type { SideName } from '../../../media/relay/side.ts'
import type { IncomingLeg } from '../../../sip/dialog/leg.ts'
import { replaces } from '../../../sip/headers/replaces.ts'
import type { CallRequest, CodeCallRequest, CodeCallResult, EngineHost, ExtensionName } from '../../port.ts'
import type { NodeCalls, NodeInvite } from '../nodes/node-calls.ts'
import type { Trunks } from '../trunks/trunks.ts'
import type { Call } from './call.ts'
import type { CallDeps } from './call-deps.ts'
import { takeIncomingCall } from './incoming-call.ts'
import { type CodeCall, startCodeCall } from './keys/code-call.ts'
import { createAnnouncementLegs } from './media/announcement-legs.ts'
import { createQualityTotals } from './media/leg-quality.ts'
import { placeCall } from './placed-call.ts'
import { createRoutes, type PhoneLocation } from './routes.ts'
import type { SenderCheck } from './sender-check.ts'
import { createTransfers, findDialog } from './transfer/transfers.ts'

type Deps = Omit<
  CallDeps,
  'findRoutes' | 'emit' | 'authorise' | 'announcementLegs' | 'onRefer' | 'forward'
> & {
  host: Pick<EngineHost, 'admitCall' | 'onCall'>
  trunks: Pick<Trunks, 'choose'>
  senderCheck: SenderCheck
  findPhone(extension: CallRequest['extension']): PhoneLocation | undefined
  autoAnswer: boolean
  /** Undefined if this engine is not part of a fleet. */
  nodeCalls?: Pick<NodeCalls, 'take' | 'routeTo'> | undefined
  /** D273: whether the redirects of phones are followed. */
  followsRedirects: boolean
}

/** In seconds: the node that has the call ends it earlier. */
const relayLimits = { ring: 600, answer: 600, talk: 24 * 3600 }

export function createSwitchboard({
  userAgent,
  media,
  address,
  codecs,
  allowsOpenKeys,
  timers,
  clock,
  log,
  spool,
  host,
  trunks,
  senderCheck,
  findPhone,
  autoAnswer,
  failureSound,
  mediaSeconds,
  awaySeconds,
  nodeCalls,
  followsRedirects,
  traces,
}: Deps) {
  const calls = new Map<string, Call>()
  const codeCalls = new Set<CodeCall>()
  /** Calls of other nodes (D241), whose phone is ours. */
  const relayed = new Set<Call>()
  /** How to end the calls that phones have forwarded, by their own ids (D273). */
  const forwarded = new Map<string, (cause?: Cause) => void>()
  const totals = { unrecorded: 0, placed: 0, arrived: 0, forCode: 0, relayed: 0 }
  const quality = createQualityTotals()
  let stopping = false
  let onEmpty: () => void = () => {}

  const announcementLegs = createAnnouncementLegs(timers)
  const routes = createRoutes({
    // D270: a phone that is called must not be busy with the sound of a call that is over.
    findPhone(extension) {
      announcementLegs.endFor(extension)
      return findPhone(extension)
    },
    autoAnswer,
    trunks,
    ...(nodeCalls && { routeToNode: nodeCalls.routeTo }),
  })
  const callDeps: CallDeps = {
    userAgent,
    media,
    address,
    codecs,
    allowsOpenKeys,
    timers,
    clock,
    log,
    spool,
    mediaSeconds,
    findRoutes: routes.find,
    emit(event) {
      if (event.type === 'ended') forwarded.delete(event.callId)
      host.onCall(event)
    },
    onUnrecorded: () => {
      totals.unrecorded += 1
    },
    onMeasured: quality.add,
    authorise: senderCheck.authorise,
    onRefer: (callId, side, refer) => transfers.onRefer(calls.get(callId), side, refer),
    announcementLegs,
    ...defined({ awaySeconds, traces }),
    ...(followsRedirects && { forward }),
    ...(failureSound && { failureSound }),
  }
  const transfers = createTransfers({
    calls,
    callsWithPhones,
    callDeps,
    admit: host.admitCall,
    isStopping: () => stopping,
    onOver: forget,
  })

  async function forward(extension: ExtensionName, dialled: string, hangUp: (cause?: Cause) => void) {
    const admitted = await host.admitCall({ from: { extension }, dialled }).catch((error: unknown) => {
      log.error({ err: error }, 'a forwarded call could not be stored')
      return { rejected: 'NORMAL_TEMPORARY_FAILURE' as const }
    })
    if (!('rejected' in admitted)) forwarded.set(admitted.callId, hangUp)
    return admitted
  }

  function forget(callId: string) {
    calls.delete(callId)
    checkEmpty()
  }

  function checkEmpty() {
    if (calls.size + relayed.size === 0) onEmpty()
  }

  /** Calls of this node, and of others whose phone is here. */
  function callsWithPhones(): Call[] {
    return [...calls.values(), ...relayed]
  }

  /** Rings the phone for another node: no call of ours, no recording, and no event unless the phone transfers (D345). */
  async function relay(leg: IncomingLeg, { callId, extension, presented }: NodeInvite) {
    let started: Call | undefined
    const destination = { extension }
    const accepted = { callId, destination, presented, record: false, limits: relayLimits }
    await takeIncomingCall(
      {
        ...callDeps,
        findRoutes: routes.findHere,
        caller: 'node',
        // The node that has the call would have to report the forwarded one.
        forward: undefined,
        emit(event) {
          if (event.type === 'transferred') host.onCall(event)
        },
        onRefer: (_callId, side, refer) => transfers.onRefer(started, side, refer),
        admit: async () => (findPhone(extension) ? accepted : { rejected: 'USER_NOT_REGISTERED' }),
        onStarted(call) {
          started = call
          totals.relayed += 1
          relayed.add(call)
          if (stopping) call.hangUp('NORMAL_TEMPORARY_FAILURE')
        },
        onOver() {
          if (started) relayed.delete(started)
          checkEmpty()
        },
      },
      leg,
      { from: { trunk: 'node', callerId: presented }, dialled: extension.number },
    )
  }

  async function take(leg: IncomingLeg) {
    if (stopping) return leg.refuse(503)
    const invite = nodeCalls?.take(leg)
    if (invite) return await relay(leg, invite)
    const identified = await senderCheck.identify(leg)
    if (!identified) return
    const { release, trunk, ...incoming } = identified
    const replaced = replaces(leg.request)
    if (replaced !== undefined && 'extension' in incoming.from)
      return takeBack(leg, incoming.from.extension, replaced)
    let started = false
    await takeIncomingCall(
      {
        ...callDeps,
        trunk,
        admit: host.admitCall,
        onStarted(call) {
          started = true
          totals.arrived += 1
          calls.set(call.callId, call)
          if (stopping) call.hangUp('NORMAL_TEMPORARY_FAILURE')
        },
        onOver(callId) {
          release()
          forget(callId)
        },
      },
      leg,
      incoming,
    )
    if (!started) release()
  }

  /** D318: a phone that lost its connection comes back to its call. */
  function takeBack(leg: IncomingLeg, extension: ExtensionName, replaced: string) {
    const found = findDialog(callsWithPhones(), extension, replaced)
    if (found) found.call.comeBack(found.side, leg)
    else leg.refuse(481)
  }

  return {
    place(request: CallRequest) {
      const { callId } = request
      totals.placed += 1
      const deps = { ...callDeps, inviteExtension: routes.inviteExtension }
      calls.set(
        callId,
        placeCall(deps, request, () => forget(callId)),
      )
    },

    async callForCode(request: CodeCallRequest): Promise<CodeCallResult> {
      const call = startCodeCall(callDeps, request)
      totals.forCode += 1
      codeCalls.add(call)
      if (stopping) call.end('NORMAL_TEMPORARY_FAILURE')
      return await call.result.finally(() => codeCalls.delete(call))
    },

    onInvite(leg: IncomingLeg) {
      take(leg).catch((error: unknown) => {
        log.error({ err: error }, 'an incoming call failed')
        leg.refuse(500)
      })
    },

    /** False when there is no such call, or it is over already. */
    hangUp(callId: string, cause?: Cause): boolean {
      const call = calls.get(callId)
      const endForwarded = forwarded.get(callId)
      endForwarded?.(cause)
      if (endForwarded) return true
      if (!call || call.isOver()) return false
      call.hangUp(cause)
      return true
    },

    /** D280: false unless the two sides of the call talk. */
    pressKeys: (callId: string, to: SideName, keys: string) =>
      calls.get(callId)?.pressKeys(to, keys) ?? false,

    transfer: transfers.transfer,

    live: () => [...calls.keys(), ...forwarded.keys()],

    relayed: () => relayed.size,

    metrics: () => ({
      calls: calls.size,
      calls_placed_total: totals.placed,
      calls_arrived_total: totals.arrived,
      calls_unrecorded_total: totals.unrecorded,
      calls_for_code_total: totals.forCode,
      calls_transferred_total: transfers.total(),
      calls_relayed: relayed.size,
      calls_relayed_total: totals.relayed,
      ...quality.metrics(),
    }),

    /** Ends every call; resolves once `ended` was emitted for all of them. */
    async stop() {
      stopping = true
      const empty = new Promise<void>((resolve) => {
        onEmpty = resolve
      })
      announcementLegs.endAll()
      for (const call of callsWithPhones()) call.hangUp('NORMAL_TEMPORARY_FAILURE')
      const withoutCode = [...codeCalls].map(({ result }) => result)
      for (const call of codeCalls) call.end('NORMAL_TEMPORARY_FAILURE')
      await Promise.all(withoutCode)
      if (calls.size + relayed.size > 0) await empty
    },
  }
}
