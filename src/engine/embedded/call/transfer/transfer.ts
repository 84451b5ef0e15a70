/**
 * Transfers (D282): one side of a call leaves, the other is connected to a new party. The new party is dialled by a second
 * call, with an id, a record and a price of its own. The two calls are linked where the side left, and end together.
 *
 *   stays ── call ── leaves           stays ── call ══ second call ── new party
 */
import type { Cause } from '../../../../contract/calls/causes.ts'
import type { SideName } from '../../../../media/relay/side.ts'
import type { AcceptedCall, ExtensionName, Party } from '../../../port.ts'
import { type Call, createCall } from '../call.ts'
import type { ALeg, CallDeps, NewCall } from '../call-deps.ts'
import { peerOf } from '../media/codec-choice.ts'
import { statusOf } from '../sip-causes.ts'
import type { Link } from './transferor.ts'

/** The side that leaves, and what is reported to it: SIP statuses of the new leg. */
export type Transferor = {
  call: Call
  side: SideName
  extension: ExtensionName
  progress(status: number): void
}

/** Undefined if the call cannot be transferred now. The new party is to be dialled, or the transfer to fail. */
export function beginTransfer({ call, side, extension, progress }: Transferor) {
  let second: Call | undefined
  let isLinked = false
  let cancelled: Cause | undefined
  const link: Link = {
    end(cause) {
      cancelled ??= cause
      second?.finish(cause, 'extension')
    },
  }
  if (!call.transferor.begin(side, link)) return undefined

  function fail(cause: Cause) {
    progress(statusOf(cause))
    call.transferor.fail(link, cause)
  }

  function dial(deps: CallDeps, accepted: AcceptedCall, onOver: () => void): Call {
    const dialled = createCall(deps, secondCall(accepted), onOver)
    second = dialled
    void connect(dialled)
    return dialled
  }

  /** D641: an extension is shown the side that stays; to a number the account presents itself as in any call. */
  function secondCall(accepted: AcceptedCall): NewCall {
    const made: NewCall = { ...accepted, aSide: 'extension', caller: extension }
    if (!('extension' in accepted.destination)) return made
    const presented = call.identity.of(peerOf(side))
    return { ...made, presented, isPrivate: presented === undefined, referredBy: extension }
  }

  async function connect(dialled: Call) {
    const onProgress = (status: number) => {
      progress(status)
      call.transferor.ring(link)
    }
    const linked: ALeg = {
      leg: undefined,
      onRinging: () => onProgress(180),
      onEarlyMedia: () => onProgress(183),
      connect: () => linkTo(dialled),
      end: (cause) => (isLinked ? call.transferor.end(side, link, cause) : fail(cause)),
    }
    dialled.setALeg(linked)
    if (cancelled) return dialled.finish(cancelled, 'extension')
    const sound = await dialled.openSound()
    if (!sound) return
    sound.expectLink('extension', call.codecOf(peerOf(side)))
    dialled.emit('extensionAnswered')
    dialled.dial(linked)
  }

  function linkTo(dialled: Call): boolean {
    const [port, secondPort] = [call.portOf(side), dialled.portOf('extension')]
    if (!call.isTalking() || port === undefined || secondPort === undefined) return false
    // Before the leg of the leaving side is hung up.
    progress(200)
    isLinked = true
    call.transferor.connect(side, link, secondPort)
    dialled.linkSound('extension', port)
    replaceParties(call, side, dialled, 'extension')
    call.identity.show(peerOf(side), dialled.identity.of('other'))
    call.emitTransferred(dialled.callId)
    return true
  }

  return { dial, fail }
}

/** D641: what leaves one call is replaced by the side that stays in the other. */
function replaceParties(call: Call, side: SideName, other: Call, otherSide: SideName) {
  const partyOf = ({ identity }: Call, stays: SideName) => ({
    identity: () => identity.of(stays),
    show: (party: Party | undefined) => identity.show(stays, party),
  })
  call.identity.replace(side, partyOf(other, peerOf(otherSide)))
  other.identity.replace(otherSide, partyOf(call, peerOf(side)))
}

/** Two calls of one extension, which leaves both (RFC 3891): their other sides are connected. False if one is over. */
export function joinCalls(call: Call, side: SideName, other: Call, otherSide: SideName): boolean {
  const [port, otherPort] = [call.portOf(side), other.portOf(otherSide)]
  if (port === undefined || otherPort === undefined || !call.isTalking() || !other.isTalking()) return false
  const toOther: Link = { end: (cause) => other.transferor.end(otherSide, toCall, cause) }
  const toCall: Link = { end: (cause) => call.transferor.end(side, toOther, cause) }
  call.transferor.connect(side, toOther, otherPort)
  other.transferor.connect(otherSide, toCall, port)
  replaceParties(call, side, other, otherSide)
  call.identity.show(peerOf(side), other.identity.of(peerOf(otherSide)))
  other.identity.show(peerOf(otherSide), call.identity.of(peerOf(side)))
  call.emitTransferred(other.callId)
  return true
}
