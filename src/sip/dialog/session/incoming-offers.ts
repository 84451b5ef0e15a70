/** Re-INVITEs and UPDATEs of the peer (RFC 3261, 14.2; RFC 3311, 5.2). */
import type { HeaderPairs } from '../../message/request.ts'
import type { Sdp } from '../../sdp/sdp.ts'
import type { IncomingRequest } from '../../transaction/transactions.ts'
import type { Dialog } from '../dialog.ts'
import type { LegListener } from '../leg.ts'
import { readSdpBody, sdpBody } from '../session-description.ts'
import { answerTimer, type SessionTerms } from '../session-terms.ts'
import { allowHeader, contactHeader, type Reply, reply, type UserAgentCore } from '../user-agent-core.ts'
import type { OfferLock } from './offer-lock.ts'
import type { PendingAcks } from './pending-acks.ts'
import type { SessionTimer } from './session-timer.ts'

type Deps = {
  core: UserAgentCore
  dialog: Dialog
  listener: LegListener
  offerLock: OfferLock
  pendingAcks: PendingAcks
  session: SessionTimer
  /** Our SDP has changed. */
  onLocalSdp(ours: Sdp): void
}
type Agreed = { terms: SessionTerms | undefined; headers: HeaderPairs }

export function createIncomingOffers(deps: Deps) {
  const { core, dialog, listener, offerLock, pendingAcks, session, onLocalSdp } = deps
  let open: IncomingRequest | undefined
  let closed = false

  function receive(incoming: IncomingRequest) {
    const { request } = incoming
    const read = readSdpBody(request)
    const agreed = answerTimer(request, core.sessionSeconds, session.terms())
    if ('refusal' in read) reply(core, incoming, read.refusal)
    else if ('refusal' in agreed) reply(core, incoming, agreed.refusal)
    else if (request.method === 'UPDATE' && !read.sdp) agree(incoming, agreed, undefined)
    else {
      const refusal = conflict()
      if (refusal) reply(core, incoming, refusal)
      else void negotiate(incoming, agreed, read.sdp)
    }
  }

  /** RFC 5407, 3: a re-INVITE may overtake the ACK, unless the ACK carries an answer we wait for. */
  function conflict(): Reply | undefined {
    if (offerLock.holder() === 'us' || pendingAcks.awaitsAnswer()) return { status: 491 }
    if (offerLock.holder() === undefined) return undefined
    return { status: 500, headers: [['Retry-After', String(Math.floor(core.random() * 10))]] }
  }

  async function negotiate(incoming: IncomingRequest, agreed: Agreed, theirs: Sdp | undefined) {
    open = incoming
    offerLock.grantToPeer()
    const ours = await answerOf(theirs)
    if (closed) return
    open = undefined
    if ('refuse' in ours) reply(core, incoming, { status: ours.refuse })
    else {
      onLocalSdp(ours)
      agree(incoming, agreed, ours)
      if (incoming.request.method === 'INVITE') pendingAcks.add(incoming, theirs === undefined)
    }
    offerLock.release()
  }

  async function answerOf(theirs: Sdp | undefined): Promise<Sdp | { refuse: number }> {
    try {
      return await (theirs ? listener.onOffer(theirs, dialog.remoteFlow()) : listener.onOfferRequest())
    } catch (err) {
      core.log.error({ err }, 'an offer could not be answered')
      return { refuse: 500 }
    }
  }

  function agree(incoming: IncomingRequest, { terms, headers }: Agreed, ours: Sdp | undefined) {
    dialog.refreshTarget(incoming.request)
    session.start(terms)
    const carried = ours && sdpBody(ours)
    reply(core, incoming, {
      status: 200,
      headers: [
        contactHeader(core, dialog.remoteFlow()),
        ...allowHeader,
        ...headers,
        ...(carried?.headers ?? []),
      ],
      ...(carried && { body: carried.body }),
    })
  }

  return {
    receive,
    /** A CANCEL of a re-INVITE is ignored: the listener is already preparing its answer, and a 2xx may always win the race. */
    close() {
      closed = true
      if (open) reply(core, open, { status: 487 })
      open = undefined
    },
  }
}
