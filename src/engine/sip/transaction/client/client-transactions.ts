/** The requests we sent that may still be answered. */
import type { Log } from '../../../../kit/log.ts'
import type { Timers } from '../../../../kit/timers.ts'
import type { Counts } from '../../counts.ts'
import type { SipRequest, SipResponse } from '../../message/message.ts'
import type { HeaderPairs } from '../../message/request.ts'
import type { Flow, Target } from '../../transport/flow.ts'
import { answeredRequest, clientKey } from '../matching.ts'
import type { Timing } from '../timing.ts'
import type { AnswerListener, ClientTransaction } from '../transactions.ts'
import { cancelling } from './ack-and-cancel.ts'
import { type Client, type ClientDeps, nobody } from './client-transaction.ts'
import { createInviteClient } from './invite-client-transaction.ts'
import { createOtherClient } from './non-invite-client-transaction.ts'
import { createSender, freshBranch, type Sending, type Wire, wayOf } from './outgoing-request.ts'
import { createUnwilling } from './tcp-refusers.ts'

type Deps = { wire: Wire; timers: Timers; timing: Timing; counts: Counts; log: Pick<Log, 'error'> }

export function createClients({ wire, timers, timing, counts, log }: Deps) {
  const clients = new Map<string, Client>()
  const byConnection = new Map<number, Set<Client>>()
  const sender = createSender(wire, createUnwilling(timers))

  function request(bare: SipRequest, target: Target, listener: AnswerListener): ClientTransaction {
    const sending = sender.prepare(bare, target, freshBranch())
    const cancel = bare.method === 'INVITE' ? invite(sending, listener) : other(sending, listener)
    return { request: () => sending.request, cancel }
  }

  function invite(sending: Sending, listener: AnswerListener): ClientTransaction['cancel'] {
    let headers: HeaderPairs = []
    const sendCancel = () => {
      if (!sending.request) return
      const bare = cancelling(sending.request, headers)
      other(sender.prepare(bare, wayOf(sending), sending.branch), nobody)
    }
    const client = keep(sending, listener, (deps) => createInviteClient({ ...deps, wire, sendCancel }))
    return (more = []) => {
      headers = more
      client.cancel()
    }
  }

  function other(sending: Sending, listener: AnswerListener): ClientTransaction['cancel'] {
    keep(sending, listener, createOtherClient)
    return noCancel
  }

  /** In the table before it is sent: in one process an answer may be there at once. */
  function keep<C extends Client>(
    sending: Sending,
    listener: AnswerListener,
    create: (deps: ClientDeps) => C,
  ): C {
    const key = clientKey(sending.branch, sending.method)
    const client = create({
      sending,
      sender,
      listener: guarded(listener),
      timers,
      timing,
      counts,
      onSent: () => watch(client),
      onOver() {
        clients.delete(key)
        unwatch(client)
      },
    })
    clients.set(key, client)
    client.start()
    return client
  }

  function watch(client: Client) {
    const connection = client.sending.flow?.connection
    if (connection === undefined) return
    const others = byConnection.get(connection)
    if (others) others.add(client)
    else byConnection.set(connection, new Set([client]))
  }

  function unwatch(client: Client) {
    const connection = client.sending.flow?.connection ?? 0
    const others = byConnection.get(connection)
    if (others?.delete(client) && others.size === 0) byConnection.delete(connection)
  }

  /** Some are told by a timer, where nobody else would catch what goes wrong upstairs. */
  function guarded(listener: AnswerListener): AnswerListener {
    const guard = (run: () => void) => {
      try {
        run()
      } catch (error) {
        log.error({ err: error }, 'the answer to a SIP request could not be worked with')
      }
    }
    return {
      provisional: (response, flow) => guard(() => listener.provisional?.(response, flow)),
      final: (response, flow) => guard(() => listener.final(response, flow)),
      failed: (why) => guard(() => listener.failed(why)),
    }
  }

  function receive(response: SipResponse, flow: Flow) {
    const about = answeredRequest(response)
    const client = about && clients.get(about.key)
    // RFC 3261, 18.1.2: what we did not send is not answered to us.
    if (client && client.sending.sentBy === about.sentBy) client.receive(response, flow)
    else counts.add('sip_responses_unmatched_total')
  }

  function closed(connection: number, wasOpen: boolean) {
    const waiting = byConnection.get(connection) ?? []
    byConnection.delete(connection)
    for (const client of waiting) client.lost(wasOpen)
  }

  function send(bare: SipRequest, target: Target) {
    const sending = sender.prepare(bare, target, freshBranch())
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
function again(wire: Wire, sending: Sending): () => void {
  const [text, way] = [sending.bytes.toString('latin1'), wayOf(sending)]
  return () => void wire.send(Buffer.from(text, 'latin1'), way)
}
