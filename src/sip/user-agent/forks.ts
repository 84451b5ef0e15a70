/** One INVITE may create several dialogs (RFC 3261, 12.1.2 and 13.2.2), distinguished by their To tag. */

import { contactOf, createDialog, type Dialog } from '../dialog/dialog.ts'
import { createPrackSender, isReliable } from '../dialog/prack.ts'
import type { Send } from '../dialog/retrying-sender.ts'
import { sdpOf } from '../dialog/session-description.ts'
import type { UserAgentCore } from '../dialog/user-agent-core.ts'
import { type Address, tagOf } from '../headers/address.ts'
import { cseq } from '../headers/numbers.ts'
import { from, recordRoutes, to } from '../headers/parties.ts'
import type { SipResponse } from '../message/message.ts'
import type { HeaderPairs } from '../message/request.ts'
import type { Sdp } from '../sdp/sdp.ts'
import { writeSdp } from '../sdp/write.ts'
import type { IncomingRequest, ResponseListener } from '../transaction/transactions.ts'
import { type Flow, keepSource, type Target } from '../transport/flow.ts'
import type { Uri } from '../uri/uri.ts'

type Invite = { callId: string; local: Address; uri: Uri; target: Target; send: Send }
type Fork = {
  dialog: Dialog
  sendPrack: (response: SipResponse) => boolean
  /** The SDP of its early media, or of the last offer it made since. */
  early?: Sdp | undefined
  /** Its answer came in a reliable response. */
  isAnswered?: boolean
  hasOffered?: boolean
  acknowledge?: () => void
}

/** Limits the memory that a proxy which forks without end can use. */
const maxForks = 16
const ignoreResponses = { onFinal() {}, onFailed() {} }

export function createForks(core: UserAgentCore, { callId, local, uri, target, send }: Invite) {
  const forks = new Map<string, Fork>()

  function forkOf(response: SipResponse, flow: Flow): Fork | undefined {
    const remote = to(response)
    const tag = tagOf(remote) ?? ''
    const known = forks.get(tag)
    if (known || forks.size >= maxForks) return known
    const dialog = createDialog(core, {
      callId,
      local,
      remote,
      remoteTarget: contactOf(response) ?? uri,
      routeSet: recordRoutes(response).reverse(),
      localSequence: cseq(response).number,
      remoteFlow: keepSource(target, flow),
      ownsCallId: true,
      send,
    })
    const fork: Fork = { dialog, sendPrack: createPrackSender(dialog) }
    forks.set(tag, fork)
    return fork
  }

  /** The SDP of early media, if new or changed; false for a retransmitted response. */
  function progress(response: SipResponse, flow: Flow): false | { early: Sdp | undefined } {
    const early = sdpOf(response)
    // Without a To tag it creates no dialog (12.1).
    if (tagOf(to(response)) === undefined) return { early }
    const fork = forkOf(response, flow)
    if (!fork?.sendPrack(response)) return false
    const same = early && fork.early && writeSdp(early) === writeSdp(fork.early)
    fork.early = early ?? fork.early
    if (early && isReliable(response)) fork.isAnswered = true
    return { early: same ? undefined : early }
  }

  /** Acknowledges a 2xx. `repeated` if it is a retransmission; undefined if there are too many forks. */
  function answered(response: SipResponse, flow: Flow, credentials: HeaderPairs) {
    const fork = forkOf(response, flow)
    if (!fork) return undefined
    const repeated = fork.acknowledge !== undefined
    if (fork.acknowledge) fork.acknowledge()
    else {
      fork.dialog.confirm(response, flow)
      fork.acknowledge = fork.dialog.acknowledge(response, credentials)
    }
    // RFC 3261, 13.2.1 says the first SDP counts; phones mean the last one.
    const description = fork.hasOffered ? fork.early : (sdpOf(response) ?? fork.early)
    return { dialog: fork.dialog, repeated, description }
  }

  /** Requests of the peer in an early dialog. */
  const forkOfRequest = ({ request }: IncomingRequest) => forks.get(tagOf(from(request)) ?? '')

  function offered(incoming: IncomingRequest, theirs: Sdp) {
    const fork = forkOfRequest(incoming)
    if (!fork) return
    fork.early = theirs
    fork.hasOffered = true
    fork.dialog.refreshTarget(incoming.request)
  }

  /** Ends the dialog of a 2xx that we do not want: another fork was quicker, or we have cancelled. */
  function dismiss(dialog: Dialog, headers: HeaderPairs = []) {
    dialog.send('BYE', { headers }, ignoreResponses)
  }

  /** Listens after the leg is over: for retransmissions of a 2xx, and for the 2xx of another fork, which is ended. */
  function listenAfterwards(credentials: HeaderPairs, byeHeaders: HeaderPairs): ResponseListener {
    const acknowledged = new Map<string, () => void>()
    for (const [tag, { acknowledge }] of forks) {
      if (!acknowledge) continue
      acknowledged.set(tag, acknowledge)
      forks.delete(tag)
    }
    return {
      onFinal(response, flow) {
        const acknowledgeAgain = acknowledged.get(tagOf(to(response)) ?? '')
        if (response.status >= 300) return
        if (acknowledgeAgain) return acknowledgeAgain()
        const made = answered(response, flow, credentials)
        if (made && !made.repeated) dismiss(made.dialog, byeHeaders)
      },
      onFailed() {},
    }
  }

  return {
    progress,
    answered,
    /** The offer of the INVITE has its answer in the dialog of that request. */
    isAnswered: (incoming: IncomingRequest) => forkOfRequest(incoming)?.isAnswered ?? false,
    /** Unknown dialogs are in order: their first response may come later. */
    isInOrder: (incoming: IncomingRequest) => forkOfRequest(incoming)?.dialog.isInOrder(incoming) ?? true,
    /** The peer has made an offer in its early dialog, and has our answer. */
    offered,
    dismiss,
    listenAfterwards,
  }
}
