/** The world of the contract suite with our own SIP endpoints as phone and as carriers: the quickest one. */
import { setTimeout } from 'node:timers/promises'
import type { Person, World } from '../../../src/engine/contract-suite.ts'
import { type AudioSource, toneSource } from '../../../src/engine/endpoint/audio/audio-source.ts'
import type { EndpointCall } from '../../../src/engine/endpoint/call/endpoint-call.ts'
import { type IncomingCall, receiveCall } from '../../../src/engine/endpoint/call/incoming-call.ts'
import { placeCall } from '../../../src/engine/endpoint/call/outgoing-call.ts'
import { openSipEndpoint, type SipEndpoint } from '../../../src/engine/endpoint/signalling/sip-endpoint.ts'
import type { AcceptedCall, Registration, RejectedCall } from '../../../src/engine/port.ts'
import { parseTrunks } from '../../../src/engine/trunk-settings/parse-trunks.ts'
import { createLog } from '../../../src/kit/process/log.ts'
import { systemTimers } from '../../../src/kit/timers.ts'
import { firstValue, type SipRequest } from '../../../src/sip/message/message.ts'
import { noParams } from '../../../src/sip/syntax/params.ts'
import { formatUri, sipUri } from '../../../src/sip/uri/uri.ts'
import { createFastForwardTimers } from '../engine/fast-forward-timers.ts'
import {
  callRequest,
  codeCallRequest,
  domain,
  openTestHost,
  passwordOf,
  type TestHost,
} from '../engine/test-host.ts'
import { createJournal } from '../peers/journal.ts'

const log = createLog('silent')
const deps = { host: '127.0.0.1', timers: systemTimers, log }
const statuses = { busy: 486, declined: 603 }
const hertz = { extension: 440, other: 1000 }
const mediaSeconds = 1
const firstNumber = '554830000000'
const extension = { domain, number: '1000' }

type Arrived = { call: IncomingCall; request: SipRequest; at: string }

/** An endpoint that receives calls, as the phone of the extension or as a carrier. */
async function openEndpoint(name: string, hertz: number, arrived: ReturnType<typeof createJournal<Arrived>>) {
  const endpoint = await openSipEndpoint({
    host: '127.0.0.1',
    user: name,
    product: name,
    timers: systemTimers,
    log,
  })
  const tone = toneSource(hertz)
  const state = { muted: false, failing: false }
  const play: AudioSource = { next: (codec) => (state.muted ? undefined : tone.next(codec)) }
  endpoint.userAgent.onInvite((leg) => {
    if (state.failing) return leg.refuse(503)
    arrived.write({ call: receiveCall(leg, deps, { play }), request: leg.request, at: name })
  })
  return { ...endpoint, state, play }
}
type Endpoint = Awaited<ReturnType<typeof openEndpoint>>

function personAt(
  arrived: ReturnType<typeof createJournal<Arrived>>,
  placed: () => EndpointCall | undefined,
) {
  const newest = async () => {
    await arrived.until(() => true)
    return arrived.entries.at(-1)?.call as IncomingCall
  }
  /** A person may be called twice: the phone rings for the call that has not rung yet. */
  const rung = new Set<IncomingCall>()
  const person: Person = {
    async rings() {
      const { call } = await arrived.until((one) => !rung.has(one.call))
      rung.add(call)
      call.ring()
    },
    answers: async () => void (await (await newest()).answer()),
    refuses: async (why) => (await newest()).refuse(statuses[why]),
    async hangsUp() {
      const call = placed() ?? (await newest())
      call.hangUp()
    },
  }
  return person
}

type Registering = { name: string; number?: string; password?: string; username?: string }

/** REGISTERs of a phone share one Call-ID, by which the registrar recognises it. */
function createRegistering(endpoint: SipEndpoint, testHost: () => TestHost) {
  const sequences = new Map<string, number>()
  return async (phone: Registering): Promise<boolean> => {
    const { name, number = extension.number, password = passwordOf(number), username = number } = phone
    const cseq = (sequences.get(name) ?? 0) + 10
    sequences.set(name, cseq)
    const target = { transport: 'udp', remote: { address: '127.0.0.1', port: testHost().port } } as const
    const uri = sipUri({ user: number, host: domain })
    const self = { name: undefined, uri, params: noParams }
    const contact = { ...endpoint.contact(target), user: name }
    const response = await endpoint.userAgent.request({
      method: 'REGISTER',
      uri: sipUri({ host: domain }),
      target,
      from: self,
      to: self,
      headers: [
        ['Contact', `<${formatUri(contact)}>`],
        ['Expires', '600'],
      ],
      login: { username, password },
      callId: `register-${name}`,
      cseq,
    })
    return response?.status === 200
  }
}

export async function makeEndpointWorld(): Promise<World> {
  const atPhone = createJournal<Arrived>('phone')
  const atCarriers = createJournal<Arrived>('carrier')
  const phone = await openEndpoint(extension.number, hertz.extension, atPhone)
  const [main, spare] = [
    await openEndpoint('main', hertz.other, atCarriers),
    await openEndpoint('spare', hertz.other, atCarriers),
  ]
  const timers = createFastForwardTimers()
  let admission: AcceptedCall | RejectedCall = { rejected: 'CALL_REJECTED' }
  let dialled: EndpointCall | undefined
  let brought: EndpointCall | undefined

  const trunks = [
    trunkAt(main, { name: 'main', priority: 1, callerId: firstNumber }),
    trunkAt(spare, { name: 'spare', priority: 2 }),
  ]
  const open = (registrations: Registration[]) =>
    openTestHost({
      timers,
      registrations,
      settings: { mediaSeconds },
      admit: () => admission,
      trunks,
    })
  let testHost = await open([])
  const register = createRegistering(phone, () => testHost)
  if (!(await register({ name: 'phone' }))) throw new Error('the phone was not registered')

  async function call(
    from: Endpoint,
    user: string,
    number: string,
    login?: { username: string; password: string },
  ) {
    const remote = { address: '127.0.0.1', port: testHost.port }
    const host = login ? domain : '127.0.0.1'
    const uri = sipUri({ user: number, host })
    const calling = {
      uri,
      target: { transport: 'udp', remote } as const,
      from: { name: undefined, uri: sipUri({ user, host }), params: noParams },
      to: { name: undefined, uri, params: noParams },
      ...(login && { login }),
    }
    return await placeCall({ ...deps, userAgent: from.userAgent }, calling, { play: from.play })
  }

  const world: World = {
    engine: testHost.engine,
    extension,
    events: testHost.calls,
    registrationEvents: testHost.phones,
    request: (change) => callRequest({ limits: { ring: 60, answer: 60, talk: 60 }, ...change }),
    codeRequest: codeCallRequest,
    atExtension: personAt(atPhone, () => dialled),
    atDestination: personAt(atCarriers, () => brought),
    until: (callId, type) => testHost.until(callId, type),
    pass: timers.pass,
    incoming: {
      calls: testHost.incomingCalls,
      admitWith(answer) {
        admission = answer
      },
      async dial(number) {
        const login = { username: extension.number, password: passwordOf(extension.number) }
        dialled = await call(phone, extension.number, number, login)
      },
      async bring(number, from) {
        brought = await call(main, from, number)
      },
    },
    recording: { talk: () => setTimeout(1_500), hertz },
    async restart() {
      const known = testHost.engine.registration(extension)
      await testHost.stop()
      testHost = await open(known ? [known] : [])
      Object.assign(world, {
        engine: testHost.engine,
        events: testHost.calls,
        registrationEvents: testHost.phones,
      })
    },
    register,
    temporaryLogins: {
      register: (userId) =>
        register({ name: 'page', username: `${extension.number}.${tomorrow()}.${userId}` }),
      revoke: (userId) => testHost.revoke(userId),
    },
    async extensionInvite() {
      const { request } = await atPhone.until(() => true)
      const names = ['X-Call-Id', 'X-Api4comintegratedcall']
      return Object.fromEntries(names.map((name) => [name, firstValue(request, name) ?? '']))
    },
    trunks: {
      first: 'main',
      second: 'spare',
      all: parseTrunks(JSON.stringify(trunks)),
      firstNumber,
      async failFirst() {
        main.state.failing = true
      },
      async reachedBy() {
        const newest = atCarriers.entries.at(-1)
        const from = newest ? (firstValue(newest.request, 'P-Asserted-Identity') ?? '') : ''
        return { trunk: newest?.at ?? '', presented: /sip:(\d+)@/.exec(from)?.[1] ?? '' }
      },
    },
    async pressKeys(keys) {
      await atCarriers.until(() => true)
      atCarriers.entries.at(-1)?.call.press(keys)
    },
    async silence(...sides) {
      if (sides.includes('extension')) phone.state.muted = true
      if (sides.includes('other')) main.state.muted = true
      await setTimeout(mediaSeconds * 1000 + 1_000)
    },
    async close() {
      await testHost.stop()
      await Promise.all([phone, main, spare].map(({ stop }) => stop()))
    },
  }
  return world
}

/** In seconds of the epoch. */
const tomorrow = () => Math.floor(Date.now() / 1000) + 86_400

function trunkAt({ address }: SipEndpoint, settings: { name: string; priority: number; callerId?: string }) {
  return { ...settings, address: `sip:127.0.0.1:${address.port}`, qualifySeconds: 0 }
}
