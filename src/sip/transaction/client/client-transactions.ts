/** All transaction transactions, by branch and method, and by the connection they depend on. */
import type { Log } from '../../../kit/process/log.ts'
import type { Timers } from '../../../kit/timers.ts'
import type { Counts } from '../../counts.ts'
import type { SipRequest, SipResponse } from '../../message/message.ts'
import type { HeaderPairs } from '../../message/request.ts'
import type { Flow, Target } from '../../transport/flow.ts'
import type { Wire } from '../../transport/transports.ts'
import { answeredRequest, clientKey } from '../matching.ts'
import type { Timing } from '../timing.ts'
import type { RequestHandle, ResponseListener } from '../transactions.ts'
import { buildCancel } from './ack-and-cancel.ts'
import { type ClientTransaction, type ClientTransactionDeps, ignoreResponses } from './client-transaction.ts'
import { createInviteClientTransaction } from './invite-client-transaction.ts'
import { createNonInviteClientTransaction } from './non-invite-client-transaction.ts'
import { createTransmitter, type OutgoingRequest, randomBranch, targetOf } from './outgoing-request.ts'
import { createTcpRefusers } from './tcp-refusers.ts'

type Deps = { wire: Wire; timers: Timers; timing: Timing; counts: Counts; log: Pick<Log, 'error'> }

export function createClientTransactions({ wire, timers, timing, counts, log }: Deps) {
  const transactions = new Map<string, ClientTransaction>()
  const byConnection = new Map<number, Set<ClientTransaction>>()
  const transmitter = createTransmitter(wire, createTcpRefusers(timers))

  function request(message: SipRequest, target: Target, listener: ResponseListener): RequestHandle {
    const outgoing = transmitter.prepare(message, target, randomBranch())
    const cancel =
      message.method === 'INVITE' ? startInvite(outgoing, listener) : startNonInvite(outgoing, listener)
    return { request: () => outgoing.request, cancel }
  }

  function startInvite(outgoing: OutgoingRequest, listener: ResponseListener): RequestHandle['cancel'] {
    let headers: HeaderPairs = []
    const sendCancel = () => {
      if (!outgoing.request) return
      const message = buildCancel(outgoing.request, headers)
      startNonInvite(transmitter.prepare(message, targetOf(outgoing), outgoing.branch), ignoreResponses)
    }
    const transaction = start(outgoing, listener, (deps) =>
      createInviteClientTransaction(deps, { wire, sendCancel }),
    )
    return (more = []) => {
      headers = more
      transaction.cancel()
    }
  }

  function startNonInvite(outgoing: OutgoingRequest, listener: ResponseListener): RequestHandle['cancel'] {
    start(outgoing, listener, createNonInviteClientTransaction)
    return noCancel
  }

  /** The transaction is in the table before its request is sent: within one process the response may arrive at once. */
  function start<C extends ClientTransaction>(
    outgoing: OutgoingRequest,
    listener: ResponseListener,
    create: (deps: ClientTransactionDeps) => C,
  ): C {
    const key = clientKey(outgoing.branch, outgoing.method)
    const transaction = create({
      request: outgoing,
      transmitter,
      listener: guarded(listener),
      timers,
      timing,
      counts,
      onSent: () => watch(transaction),
      onTerminated() {
        transactions.delete(key)
        unwatch(transaction)
      },
    })
    transactions.set(key, transaction)
    transaction.start()
    return transaction
  }

  function watch(transaction: ClientTransaction) {
    const connection = transaction.request.flow?.connection
    if (connection === undefined) return
    const others = byConnection.get(connection)
    if (others) others.add(transaction)
    else byConnection.set(connection, new Set([transaction]))
  }

  function unwatch(transaction: ClientTransaction) {
    const connection = transaction.request.flow?.connection ?? 0
    const others = byConnection.get(connection)
    if (others?.delete(transaction) && others.size === 0) byConnection.delete(connection)
  }

  /** Listeners are also called from timers, where an exception would end the process. */
  function guarded(listener: ResponseListener): ResponseListener {
    const guard = (run: () => void) => {
      try {
        run()
      } catch (error) {
        log.error({ err: error }, 'the response to a SIP request could not be handled')
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
    const transaction = about && transactions.get(about.key)
    // RFC 3261, 18.1.2: a response whose sent-by is not ours is dropped.
    if (transaction && transaction.request.sentBy === about.sentBy) transaction.receive(response, flow)
    else counts.add('sip_responses_unmatched_total')
  }

  function closed(connection: number, wasOpen: boolean) {
    const affected = byConnection.get(connection) ?? []
    byConnection.delete(connection)
    for (const transaction of affected) transaction.onConnectionLost(wasOpen)
  }

  function send(message: SipRequest, target: Target) {
    const outgoing = transmitter.prepare(message, target, randomBranch())
    transmitter.send(outgoing)
    return resender(wire, outgoing)
  }

  function stop() {
    for (const transaction of transactions.values()) transaction.stop()
    transactions.clear()
    byConnection.clear()
  }

  return { request, send, receive, closed, stop, size: () => transactions.size }
}

function noCancel() {}

/** Kept as text: a small slice of a pooled buffer would keep its whole page in memory. */
function resender(wire: Wire, outgoing: OutgoingRequest): () => void {
  const text = outgoing.bytes.toString('latin1')
  const target = targetOf(outgoing)
  return () => void wire.send(Buffer.from(text, 'latin1'), target)
}
