/** The two ends of a call in tests: user agents that record events, or a peer whose messages the test writes itself. */
import { setImmediate } from 'node:timers/promises'
import { createTestTimers, type TestTimers } from '../../../kit/testing/test-timers.ts'
import type { IncomingLeg, OutgoingLeg, OutgoingListener } from '../../dialog/leg.ts'
import type { WithHeaders } from '../../header.ts'
import { type Address, parseAddress } from '../../headers/address.ts'
import { firstValue, type SipRequest, type SipResponse } from '../../message/message.ts'
import { buildRequest, type HeaderPairs } from '../../message/request.ts'
import { buildResponse } from '../../message/response.ts'
import { offer } from '../../sdp/offer.ts'
import type { Sdp } from '../../sdp/sdp.ts'
import { writeSdp } from '../../sdp/write.ts'
import type { IncomingRequest, ResponseListener, Transactions } from '../../transaction/transactions.ts'
import type { Transport } from '../../transport/flow.ts'
import { parseUri } from '../../uri/parse.ts'
import { sipUri } from '../../uri/uri.ts'
import type { InviteOptions } from '../outgoing-invite.ts'
import type { UserAgent } from '../user-agent.ts'
import { createUserAgent } from '../user-agent.ts'
import { createWire, type End, places } from './wire.ts'

export const ana: Address = parseAddress('"Ana" <sip:1000@alfa.test>')
export const bia: Address = parseAddress('"Bia" <sip:2000@beta.test>')

/** SDP that is recognised by its port. */
export function sdp(port: number): Sdp {
  const origin = { username: '-', sessionId: '1', version: '1', address: '192.0.2.9' }
  return offer({ origin, address: '192.0.2.9', port, codecs: ['PCMA'] })
}
export const described = (port: number) => ({
  headers: [['Content-Type', 'application/sdp']] as HeaderPairs,
  body: writeSdp(sdp(port)),
})
const portOf = (description: Sdp | undefined) => description?.media[0]?.port ?? 'none'

/** The tag in the To or From of the last message. */
export function tagIn(answers: readonly WithHeaders[], header: 'To' | 'From' = 'To'): string {
  const last = answers.at(-1)
  return (last && /;tag=(\w+)/.exec(firstValue(last, header) ?? '')?.[1]) ?? ''
}

/** Runs everything that does not wait for a timer. */
export const settle = () => setImmediate()

export function createScene({ transport = 'udp' as Transport, sessionSeconds = 1800 } = {}) {
  const timers = createTestTimers()
  const wire = createWire(timers, { transport })
  const settings = { timers, sessionSeconds, transport }
  return {
    timers,
    wire,
    near: createTestAgent(wire.near, 'near', settings),
    /** Either of these two, not both. */
    testAgent: () => createTestAgent(wire.far, 'far', settings),
    scriptedPeer: () => createScriptedPeer(wire.far),
    /** Advances the timers in small steps, and delivers messages in between. */
    async pass(ms: number) {
      const step = Math.max(10, ms / 400)
      for (let left = ms; left > 0; left -= step) {
        await settle()
        timers.advance(Math.min(step, left))
      }
      await settle()
    },
  }
}
export type Scene = ReturnType<typeof createScene>
export type SceneOptions = Parameters<typeof createScene>[0] & { headers?: HeaderPairs }

/** A scripted peer called with these headers and was answered; `ask` sends requests within the dialog. */
export async function createAnswered({ headers = [], ...options }: SceneOptions = {}) {
  const scene = createScene(options)
  const { near } = scene
  const far = scene.scriptedPeer()
  const invite = far.ask('INVITE', {
    cseq: 1,
    ...described(20),
    headers: [...described(20).headers, ...headers],
  })
  await settle()
  near.leg().accept(sdp(30))
  await settle()
  const toTag = tagIn(invite.answers)
  far.acknowledge({ cseq: 1, toTag })
  await settle()
  near.events.length = 0
  let cseq = 1
  function ask(method: string, more: Partial<RequestParts> = {}) {
    cseq += 1
    return far.ask(method, { cseq, toTag, ...more })
  }
  /** The ACK of the last INVITE asked. */
  const acknowledge = (more: Partial<RequestParts> = {}) => far.acknowledge({ cseq, toTag, ...more })
  return { ...scene, scene, far, toTag, leg: near.leg(), invite, ask, acknowledge }
}

type Settings = { timers: TestTimers; sessionSeconds: number; transport: Transport; random?: () => number }

/** A user agent that records events. By default it answers offers with port 40, and offers port 50 if asked to. */
export function createTestAgent(
  transactions: Transactions,
  end: End,
  { timers, sessionSeconds, transport, random = Math.random }: Settings,
) {
  const { address, port } = places[end]
  const events: string[] = []
  const legs: IncomingLeg[] = []
  const agent: UserAgent = createUserAgent({
    transactions,
    timers,
    sessionSeconds,
    contact: () => sipUri({ user: end, host: address, port }),
    product: 'Ramal',
    random,
    log: { error: () => events.push('error') },
  })
  const behaviour = {
    offered: async (_: Sdp): Promise<Sdp | { refuse: number }> => sdp(40),
    ask: async () => sdp(50),
    info: (_: SipRequest): number | Promise<number> => 200,
    /** Called with an incoming call, after its listener is set. */
    onIncoming: (_: IncomingLeg) => {},
  }
  const within = {
    onEnded: ({ why, q850 }: { why: string; q850?: number }) =>
      events.push(q850 === undefined ? `ended ${why}` : `ended ${why} ${q850}`),
    onOffer: (description: Sdp) => {
      events.push(`offered ${portOf(description)}`)
      return behaviour.offered(description)
    },
    onOfferRequest: () => {
      events.push('asked')
      return behaviour.ask()
    },
    onAnswer: (description: Sdp) => events.push(`settled ${portOf(description)}`),
    onInfo: (request: SipRequest) => {
      events.push(`info ${request.body}`)
      return behaviour.info(request)
    },
  }
  let firstResponses = 0
  const outgoing: OutgoingListener = {
    ...within,
    onFirstResponse: () => {
      firstResponses += 1
    },
    onProgress: (status, description) => events.push(`progress ${status} ${portOf(description)}`),
    onAnswered: (description) => events.push(`answered ${portOf(description)}`),
    onFailed: ({ why, status, q850 }) =>
      events.push(['failed', why, status, q850].filter((part) => part !== undefined).join(' ')),
  }
  agent.onInvite((leg) => {
    events.push(`invited ${portOf(leg.remoteOffer)}`)
    legs.push(leg)
    leg.listen({ ...within, onCancelled: (q850) => events.push(`cancelled ${q850 ?? ''}`.trim()) })
    behaviour.onIncoming(leg)
  })
  return {
    agent,
    events,
    legs,
    behaviour,
    /** How often `onFirstResponse` was called. */
    firstResponses: () => firstResponses,
    /** Calls the other end, offering port 10. */
    call: (calling: Partial<InviteOptions> = {}): OutgoingLeg =>
      agent.invite(
        {
          uri: parseUri('sip:2000@beta.test'),
          target: { transport, remote: places[end === 'near' ? 'far' : 'near'] },
          from: ana,
          to: bia,
          offer: sdp(10),
          ...calling,
        },
        outgoing,
      ),
    leg(): IncomingLeg {
      const leg = legs.at(-1)
      if (!leg) throw new Error('Nobody called')
      return leg
    },
  }
}
export type TestAgent = ReturnType<typeof createTestAgent>

type Answer = { toTag?: string; headers?: HeaderPairs; body?: string }
type RequestParts = {
  toTag?: string
  fromTag?: string
  cseq: number
  headers?: HeaderPairs
  body?: string
  callId?: string
}

/** A peer without a user agent: the test writes its requests and responses. */
function createScriptedPeer(transactions: Transactions) {
  const received: IncomingRequest[] = []
  const { address, port } = places.far
  const contact = ['Contact', `<sip:far@${address}:${port}>`] as const
  transactions.onRequest((incoming) => received.push(incoming))

  function last(method: string): IncomingRequest {
    const found = received.findLast(({ request }) => request.method === method)
    if (!found) throw new Error(`No ${method} came`)
    return found
  }

  function build(
    method: string,
    { toTag, fromTag = 'far', cseq, headers = [], body = '', callId = 'c1' }: RequestParts,
  ) {
    const tag = toTag === undefined ? '' : `;tag=${toTag}`
    const named = headers.some(([name]) => name === 'Contact') ? [] : [contact]
    return buildRequest({
      method,
      uri: parseUri(`sip:near@${places.near.address}`),
      headers: [
        ['From', `<sip:far@beta.test>;tag=${fromTag}`],
        ['To', `<sip:near@alfa.test>${tag}`],
        ['Call-ID', callId],
        ['CSeq', `${cseq} ${method}`],
        ...named,
        ...headers,
      ],
      body,
    })
  }

  return {
    received,
    methods: () => received.map(({ request }) => request.method),
    last,
    answer(
      incoming: IncomingRequest,
      status: number,
      { toTag = 'far', headers = [], body = '' }: Answer = {},
    ) {
      const named = status > 100 && status < 300 ? [contact, ...headers] : headers
      incoming.respond(buildResponse(incoming.request, status, { toTag, headers: named, body }))
    },
    /** Sends a request; `answers` lists its responses as they arrive. */
    ask(method: string, parts: RequestParts) {
      const answers: SipResponse[] = []
      const listener: ResponseListener = {
        onProvisional: (response) => response.status > 100 && answers.push(response),
        onFinal: (response) => answers.push(response),
        onFailed: () => {},
      }
      const target = { transport: 'udp' as const, remote: places.near }
      const { cancel } = transactions.request(build(method, parts), target, listener)
      return { answers, cancel, status: () => answers.at(-1)?.status }
    },
    acknowledge: (parts: RequestParts) =>
      transactions.send(build('ACK', parts), { transport: 'udp', remote: places.near }),
  }
}
