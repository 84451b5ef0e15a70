/** What becomes of one INVITE may be several dialogs (RFC 3261, 12.1.2 and 13.2.2): told apart by the tag of their To. */

import { contactOf, createDialog, type Dialog } from '../dialog/dialog.ts'
import { createPrackSender } from '../dialog/prack.ts'
import type { Send } from '../dialog/retrying-sender.ts'
import { sdpOf } from '../dialog/session-description.ts'
import type { UserAgentCore } from '../dialog/user-agent-core.ts'
import { type Address, tagOf } from '../headers/address.ts'
import { cseq } from '../headers/numbers.ts'
import { recordRoutes, to } from '../headers/parties.ts'
import type { SipResponse } from '../message/message.ts'
import type { HeaderPairs } from '../message/request.ts'
import type { Sdp } from '../sdp/sdp.ts'
import { writeSdp } from '../sdp/write.ts'
import type { ResponseListener } from '../transaction/transactions.ts'
import type { Flow } from '../transport/flow.ts'
import type { Uri } from '../uri/uri.ts'

type Invite = { callId: string; local: Address; uri: Uri; send: Send }
type Fork = {
  dialog: Dialog
  reliable: (response: SipResponse) => boolean
  /** Of its early media. */
  early?: Sdp | undefined
  acknowledge?: () => void
}

/** One who forks without end would have us keep a dialog for each. */
const maxForks = 16
const ignoreResponses = { onFinal() {}, onFailed() {} }

export function createForks(core: UserAgentCore, { callId, local, uri, send }: Invite) {
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
      remoteFlow: flow,
      ownsCallId: true,
      send,
    })
    const fork: Fork = { dialog, reliable: createPrackSender(dialog) }
    forks.set(tag, fork)
    return fork
  }

  /** The early media it describes, if that is news; false for a response that was told already. */
  function progress(response: SipResponse, flow: Flow): false | { early: Sdp | undefined } {
    const early = sdpOf(response)
    // Without a tag it makes no dialog (12.1), and all it says is that something rings.
    if (tagOf(to(response)) === undefined) return { early }
    const fork = forkOf(response, flow)
    if (!fork?.reliable(response)) return false
    const same = early && fork.early && writeSdp(early) === writeSdp(fork.early)
    fork.early = early ?? fork.early
    return { early: same ? undefined : early }
  }

  /** A 2xx, acknowledged. `repeated` if only the ACK was lost; undefined if there are too many to keep. */
  function answered(response: SipResponse, flow: Flow, credentials: HeaderPairs) {
    const fork = forkOf(response, flow)
    if (!fork) return undefined
    const repeated = fork.acknowledge !== undefined
    if (fork.acknowledge) fork.acknowledge()
    else {
      fork.dialog.confirm(response, flow)
      fork.acknowledge = fork.dialog.acknowledge(response, credentials)
    }
    // Strictly the first description counts (13.2.1); what is said last is what phones mean.
    return { dialog: fork.dialog, repeated, description: sdpOf(response) ?? fork.early }
  }

  /** Ends what another fork, or our own change of mind, has made superfluous. */
  function dismiss(dialog: Dialog, headers: HeaderPairs = []) {
    dialog.send('BYE', { headers }, ignoreResponses)
  }

  /** When the leg is over, what an INVITE may still bring: a 2xx repeated, or that of a fork nobody needs. */
  function afterwards(credentials: HeaderPairs, farewell: HeaderPairs): ResponseListener {
    const acknowledged = new Map<string, () => void>()
    for (const [tag, { acknowledge }] of forks) {
      if (!acknowledge) continue
      acknowledged.set(tag, acknowledge)
      forks.delete(tag)
    }
    return {
      onFinal(response, flow) {
        const again = acknowledged.get(tagOf(to(response)) ?? '')
        if (response.status >= 300) return
        if (again) return again()
        const made = answered(response, flow, credentials)
        if (made && !made.repeated) dismiss(made.dialog, farewell)
      },
      onFailed() {},
    }
  }

  return { progress, answered, dismiss, afterwards }
}
