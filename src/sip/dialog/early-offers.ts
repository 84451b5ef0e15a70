/**
 * Offers of the peer before its or our INVITE is answered, by UPDATE (RFC 3311, 5.2) or PRACK (RFC 3262, 5). Allowed once
 * the offer of the INVITE has its answer in a reliable response. We prompt nobody, so 504 is never needed.
 */

import { randomInt } from 'node:crypto'
import { defined } from '../../kit/defined.ts'
import type { Sdp } from '../sdp/sdp.ts'
import type { IncomingRequest } from '../transaction/transactions.ts'
import type { LegListener } from './leg.ts'
import { readSdpBody, sdpBody } from './session-description.ts'
import { allowHeader, contactHeader, type Reply, reply, type UserAgentCore } from './user-agent-core.ts'

type Deps = {
  listener(): LegListener | undefined
  /** The offer of the INVITE has its answer in the dialog of that request. */
  isAnswered(incoming: IncomingRequest): boolean
  /** Whose offer has no answer yet, while it has none: ours is refused with 491, the peer's with 500. */
  offerer: 'us' | 'peer'
  onAgreed(incoming: IncomingRequest, ours: Sdp, theirs: Sdp): void
}

const retryLater = (): Reply => ({ status: 500, headers: [['Retry-After', String(randomInt(0, 11))]] })

export function createEarlyOffers(core: UserAgentCore, { listener, isAnswered, offerer, onAgreed }: Deps) {
  let isBusy = false

  /** Answers the request, with SDP if it has an offer. */
  function receive(incoming: IncomingRequest) {
    const read = readSdpBody(incoming.request)
    if ('refusal' in read) reply(core, incoming, read.refusal)
    else if (!read.sdp) agree(incoming, undefined)
    else if (isBusy) reply(core, incoming, retryLater())
    else if (isAnswered(incoming)) void negotiate(incoming, read.sdp)
    else reply(core, incoming, offerer === 'us' ? { status: 491 } : retryLater())
  }

  async function negotiate(incoming: IncomingRequest, theirs: Sdp) {
    isBusy = true
    const ours = await answerTo(incoming, theirs)
    isBusy = false
    if ('refuse' in ours) return reply(core, incoming, { status: ours.refuse })
    onAgreed(incoming, ours, theirs)
    agree(incoming, ours)
  }

  async function answerTo({ flow }: IncomingRequest, theirs: Sdp): Promise<Sdp | { refuse: number }> {
    try {
      return (await listener()?.onOffer(theirs, flow)) ?? { refuse: 488 }
    } catch (err) {
      core.log.error({ err }, 'an early offer could not be answered')
      return { refuse: 500 }
    }
  }

  function agree(incoming: IncomingRequest, ours: Sdp | undefined) {
    const { headers = [], body } = ours ? sdpBody(ours) : {}
    reply(core, incoming, {
      status: 200,
      headers: [contactHeader(core, incoming.flow), ...allowHeader, ...headers],
      ...defined({ body }),
    })
  }

  return { receive }
}
export type EarlyOffers = ReturnType<typeof createEarlyOffers>
