/** The requests we sent that may still be answered. */
import type { Log } from '../../../../kit/log.ts'
import type { Timers } from '../../../../kit/timers.ts'
import type { Counts } from '../../counts.ts'
import type { SipRequest, SipResponse } from '../../message/message.ts'
import type { HeaderPairs } from '../../message/request.ts'
import type { Flow, Target } from '../../transport/flow.ts'
import { answeredRequest, clientKey } from '../matching.ts'
import type { Timing } from '../timing.ts'
import type { RequestHandle, ResponseListener } from '../transactions.ts'
import { buildCancel } from './ack-and-cancel.ts'
import { type ClientTransaction, type ClientTransactionDeps, ignoreResponses } from './client-transaction.ts'
import { createInviteClientTransaction } from './invite-client-transaction.ts'
import { createNonInviteClientTransaction } from './non-invite-client-transaction.ts'
import {
  createTransmitter,
  type OutgoingRequest,
  randomBranch,
  targetOf,
  type Wire,
} from './outgoing-request.ts'
import { createTcpRefusers } from './tcp-refusers.ts'

type Deps = { wire: Wire; timers: Timers; timing: Timing; counts: Counts; log: Pick<Log, 'error'> }

export function createClientTransactions({ wire, timers, timing, counts, log }: Deps) {
  const clients = new Map<string, ClientTransaction>()
  const byConnection = new Map<number, Set<ClientTransaction>>()
  const sender = createTransmitter(wire, createTcpRefusers(timers))

  function request(bare: SipRequest, target: Target, listener: ResponseListener): RequestHandle {
    const sending = sender.prepare(bare, target, randomBranch())
    const cancel = bare.method === 'INVITE' ? invite(sending, listener) : other(sending, listener)
    return { request: () => sending.request, cancel }
  }

  function invite(sending: OutgoingRequest, listener: ResponseListener): RequestHandle['cancel'] {
    let headers: HeaderPairs = []
    const sendCancel = () => {
      if (!sending.request) return
      const bare = buildCancel(sending.request, headers)
      other(sender.prepare(bare, targetOf(sending), sending.branch), ignoreResponses)
    }
    const client = keep(sending, listener, (deps) =>
      createInviteClientTransaction({ ...deps, wire, sendCancel }),
    )
    return (more = []) => {
      headers = more
      client.cancel()
    }
  }

  function other(sending: OutgoingRequest, listener: ResponseListener): RequestHandle['cancel'] {
    keep(sending, listener, createNonInviteClientTransaction)
    return noCancel
  }

  /** In the table before it is sent: in one process an answer may be there at once. */
  function keep<C extends ClientTransaction>(
    sending: OutgoingRequest,
    listener: ResponseListener,
    create: (deps: ClientTransactionDeps) => C,
  ): C {
    const key = clientKey(sending.branch, sending.method)
    const client = create({
      request: sending,
      sender,
      listener: guarded(listener),
      timers,
      timing,
      counts,
      onSent: () => watch(client),
      onTerminated() {
        clients.delete(key)
        unwatch(client)
      },
    })
    clients.set(key, client)
    client.start()
    return client
  }

  function watch(client: ClientTransaction) {
    const connection = client.request.flow?.connection
    if (connection === undefined) return
    const others = byConnection.get(connection)
    if (others) others.add(client)
    else byConnection.set(connection, new Set([client]))
  }

  function unwatch(client: ClientTransaction) {
    const connection = client.request.flow?.connection ?? 0
    const others = byConnection.get(connection)
    if (others?.delete(client) && others.size === 0) byConnection.delete(connection)
  }

  /** Some are told by a timer, where nobody else would catch what goes wrong upstairs. */
  function guarded(listener: ResponseListener): ResponseListener {
    const guard = (run: () => void) => {
      try {
        run()
      } catch (error) {
        log.error({ err: error }, 'the answer to a SIP request could not be worked with')
      }
    }
    return {
      onProvisional: (response, flow) => guard(() => listener.onProvisional?.(response, flow)),
      onFinal: (response, flow) => guard(() => listener.onFinal(response, flow)),
      onFailed: (why) => guard(() => listener.onFailed(why)),
    }
  }

  function receive(response: SipResponse, flow: Flow) {
    const about = answeredRequest(response)
    const client = about && clients.get(about.key)
    // RFC 3261, 18.1.2: what we did not send is not answered to us.
    if (client && client.request.sentBy === about.sentBy) client.receive(response, flow)
    else counts.add('sip_responses_unmatched_total')
  }

  function closed(connection: number, wasOpen: boolean) {
    const waiting = byConnection.get(connection) ?? []
    byConnection.delete(connection)
    for (const client of waiting) client.onConnectionLost(wasOpen)
  }

  function send(bare: SipRequest, target: Target) {
    const sending = sender.prepare(bare, target, randomBranch())
    sender.send(sending)
    return again(wire, sending)
  }

  function stop() {
    for (const client of clients.values()) client.stop()
    clients.clear()
    byConnection.clear()
  }

  return { request, send, receive, closed, stop, size: () => clients.size }
}

function noCancel() {}

/** As text: a few bytes of a buffer that is kept would keep the page of memory they are on. */
function again(wire: Wire, sending: OutgoingRequest): () => void {
  const [text, way] = [sending.bytes.toString('latin1'), targetOf(sending)]
  return () => void wire.send(Buffer.from(text, 'latin1'), way)
}
