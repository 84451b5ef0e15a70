/** Those who call each other in tests: user agents that write down what happens, and a far end without manners. */
import { setImmediate } from 'node:timers/promises'
import { createTestTimers, type TestTimers } from '../../../../kit/testing/test-timers.ts'
import type {
  IncomingLeg,
  InviteOptions,
  OutgoingLeg,
  OutgoingListener,
  UserAgent,
} from '../../dialog/leg.ts'
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
import { createUserAgent } from '../user-agent.ts'
import { createWire, type End, places } from './wire.ts'

export const ana: Address = parseAddress('"Ana" <sip:1000@alfa.test>')
export const bia: Address = parseAddress('"Bia" <sip:2000@beta.test>')

/** A description known by its port. */
export function sdp(port: number): Sdp {
  const origin = { username: '-', sessionId: '1', version: '1', address: '192.0.2.9' }
  return offer({ origin, address: '192.0.2.9', port, codecs: ['PCMA'] })
}
export const described = (port: number) => ({
  headers: [['Content-Type', 'application/sdp']] as HeaderPairs,
  body: writeSdp(sdp(port)),
})
const portOf = (description: Sdp | undefined) => description?.media[0]?.port ?? 'none'

/** The tag we gave ourselves, as the other end must repeat it. */
export function tagIn(answers: readonly WithHeaders[], header: 'To' | 'From' = 'To'): string {
  const last = answers.at(-1)
  return (last && /;tag=(\w+)/.exec(firstValue(last, header) ?? '')?.[1]) ?? ''
}

/** Lets everything happen that waits for no time. */
export const settle = () => setImmediate()

export function createScene({ transport = 'udp' as Transport, sessionSeconds = 1800 } = {}) {
  const timers = createTestTimers()
  const wire = createWire(timers, { transport })
  const settings = { timers, sessionSeconds, transport }
  return {
    timers,
    wire,
    near: createPerson(wire.near, 'near', settings),
    /** Either of these two, not both. */
    person: () => createPerson(wire.far, 'far', settings),
    stranger: () => createStranger(wire.far),
    /** Time passes, in steps short enough for everything between. */
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

/** A stranger called with these headers and was answered; `ask` speaks within the dialog. */
export async function createAnswered({ headers = [], ...options }: SceneOptions = {}) {
  const scene = createScene(options)
  const { near } = scene
  const far = scene.stranger()
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
  function ask(method: string, more: Partial<Saying> = {}) {
    cseq += 1
    return far.ask(method, { cseq, toTag, ...more })
  }
  /** The ACK of the last INVITE asked. */
  const acknowledge = (more: Partial<Saying> = {}) => far.acknowledge({ cseq, toTag, ...more })
  return { ...scene, scene, far, toTag, leg: near.leg(), invite, ask, acknowledge }
}

type Settings = { timers: TestTimers; sessionSeconds: number; transport: Transport; random?: () => number }

/** Answers offers with port 40 and asks with port 50, unless told otherwise. */
export function createPerson(
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
  const wishes = {
    offered: async (_: Sdp): Promise<Sdp | { refuse: number }> => sdp(40),
    ask: async () => sdp(50),
    info: (_: SipRequest): number | Promise<number> => 200,
    /** What is done with a call that comes, once it is listened to. */
    taken: (_: IncomingLeg) => {},
  }
  const within = {
    onEnded: ({ why, q850 }: { why: string; q850?: number }) =>
      events.push(q850 === undefined ? `ended ${why}` : `ended ${why} ${q850}`),
    onOffer: (description: Sdp) => {
      events.push(`offered ${portOf(description)}`)
      return wishes.offered(description)
    },
    onOfferRequest: () => {
      events.push('asked')
      return wishes.ask()
    },
    onAnswer: (description: Sdp) => events.push(`settled ${portOf(description)}`),
    onInfo: (request: SipRequest) => {
      events.push(`info ${request.body}`)
      return wishes.info(request)
    },
  }
  let heardOf = 0
  const outgoing: OutgoingListener = {
    ...within,
    onFirstResponse: () => {
      heardOf += 1
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
    wishes.taken(leg)
  })
  return {
    agent,
    events,
    legs,
    wishes,
    /** How often it was told that somebody is there. */
    heardOf: () => heardOf,
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
export type Person = ReturnType<typeof createPerson>

type Answer = { toTag?: string; headers?: HeaderPairs; body?: string }
type Saying = {
  toTag?: string
  fromTag?: string
  cseq: number
  headers?: HeaderPairs
  body?: string
  callId?: string
}

/** A far end that says what the test has it say. */
function createStranger(transactions: Transactions) {
  const heard: IncomingRequest[] = []
  const { address, port } = places.far
  const contact = ['Contact', `<sip:far@${address}:${port}>`] as const
  transactions.onRequest((incoming) => heard.push(incoming))

  function last(method: string): IncomingRequest {
    const found = heard.findLast(({ request }) => request.method === method)
    if (!found) throw new Error(`No ${method} came`)
    return found
  }

  function build(
    method: string,
    { toTag, fromTag = 'far', cseq, headers = [], body = '', callId = 'c1' }: Saying,
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
    heard,
    methods: () => heard.map(({ request }) => request.method),
    last,
    answer(
      incoming: IncomingRequest,
      status: number,
      { toTag = 'far', headers = [], body = '' }: Answer = {},
    ) {
      const named = status > 100 && status < 300 ? [contact, ...headers] : headers
      incoming.respond(buildResponse(incoming.request, status, { toTag, headers: named, body }))
    },
    /** The responses to it, as they come. */
    ask(method: string, saying: Saying) {
      const answers: SipResponse[] = []
      const listener: ResponseListener = {
        onProvisional: (response) => response.status > 100 && answers.push(response),
        onFinal: (response) => answers.push(response),
        onFailed: () => {},
      }
      const target = { transport: 'udp' as const, remote: places.near }
      const { cancel } = transactions.request(build(method, saying), target, listener)
      return { answers, cancel, status: () => answers.at(-1)?.status }
    },
    acknowledge: (saying: Saying) =>
      transactions.send(build('ACK', saying), { transport: 'udp', remote: places.near }),
  }
}
