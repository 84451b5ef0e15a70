/** Legs and media for tests of calls, which do what the test says. */
import { createLog } from '../../../../kit/process/log.ts'
import { createTestTimers } from '../../../../kit/testing/test-timers.ts'
import { g711Names } from '../../../../media/codecs/registry.ts'
import type { MediaEvent } from '../../../../media/thread/messages.ts'
import type { IncomingLeg, LegListener, OutgoingListener } from '../../../../sip/dialog/leg.ts'
import { type Address, formatAddress, parseAddress } from '../../../../sip/headers/address.ts'
import { buildRequest, type HeaderPairs } from '../../../../sip/message/request.ts'
import { offer } from '../../../../sip/sdp/offer.ts'
import type { Sdp } from '../../../../sip/sdp/sdp.ts'
import type { Target } from '../../../../sip/transport/flow.ts'
import { sipUri } from '../../../../sip/uri/uri.ts'
import type { InviteOptions } from '../../../../sip/user-agent/outgoing-invite.ts'
import type { UserAgent } from '../../../../sip/user-agent/user-agent.ts'
import type { CallEvent, CallRequest } from '../../../port.ts'
import type { CallDeps } from '../call-deps.ts'
import type { SoundMedia } from '../media/sound.ts'
import type { OpenRoute, Route, RoutedCall } from '../routes.ts'

const callId = '019a0000-0000-7000-8000-000000000001'

/** The SDP of a phone or a carrier. */
export function description(port: number, ...codecs: ('PCMA' | 'PCMU')[]): Sdp {
  const origin = { username: '-', sessionId: '1', version: '1', address: '127.0.0.1' }
  return offer({ origin, address: '127.0.0.1', port, codecs: codecs.length > 0 ? codecs : ['PCMA'] })
}

/** Where a phone signals from. */
export const phoneTarget: Target = { transport: 'udp', remote: { address: '127.0.0.1', port: 5060 } }

export const callRequest: CallRequest = {
  callId,
  extension: { domain: 'acme.example', number: '1000' },
  shown: { number: '5548999998888' },
  destination: { number: '5548999998888' },
  presented: { number: '554830001000' },
  record: true,
  limits: { ring: 45, answer: 60, talk: 3600 },
}

type Outgoing = { calling: InviteOptions; listener: OutgoingListener; said: string[] }

export function createStage() {
  const timers = createTestTimers()
  const events: CallEvent[] = []
  const outgoing: Outgoing[] = []
  const sound: string[] = []
  const released: string[] = []
  let onMedia: (event: MediaEvent) => void = () => {}
  let openFails = false
  let live = 0
  let routed: RoutedCall | undefined
  const received = { extension: true, other: true }

  const media: SoundMedia = {
    fingerprint: { hash: 'sha-256', value: '00' },
    async open(_id, onEvent = () => {}) {
      if (openFails) throw new Error('ports used up')
      onMedia = onEvent
      live += 1
      return { host: '127.0.0.1', ports: { extension: 20_000, other: 20_002 } }
    },
    async expect(_id, side, { port, payloads }) {
      const audio = payloads.map(({ codec }) => codec).filter((codec) => codec !== 'telephone-event')
      sound.push(`${side} at ${port} speaks ${audio.join(' and ')}`)
      return undefined
    },
    async playRingback(_id, side) {
      sound.push(`ringback to ${side}`)
      return undefined
    },
    async playTone(_id, side, request) {
      sound.push(`${'tone' in request ? `${request.tone.hertz[0]} Hz` : request.sound} to ${side}`)
      return undefined
    },
    async pressKeys(_id, side, keys) {
      sound.push(`keys ${keys} to ${side}`)
      return undefined
    },
    hasReceived: async () => received,
    async stopTone(_id, side) {
      sound.push(`no tone to ${side}`)
      return undefined
    },
    async startRecording(_id, path) {
      sound.push(`recording to ${path}`)
      return undefined
    },
    async close() {
      live -= 1
      const recorded = sound.some((line) => line.startsWith('recording'))
      const side = {
        received: { packets: 0, bytes: 0 },
        sent: { packets: 0, bytes: 0 },
        reports: 0,
        lost: 0,
        jitterMs: 0,
        roundTripMs: undefined,
        droppedByKernel: undefined,
        late: 0,
        dropped: {
          malformed: 0,
          payload: 0,
          waiting: 0,
          foreign: 0,
          held: 0,
          undeliverable: 0,
          replaced: 0,
          unheard: 0,
        },
      }
      return {
        statistics: {
          extension: { ...side, reports: received.extension ? 1 : 0 },
          other: side,
          lateForRecording: 0,
        },
        recording: recorded ? { path: 'spool/call.wav', seconds: 3, bytes: 96_044 } : undefined,
      }
    },
  }

  const userAgent: UserAgent = {
    invite(calling, listener) {
      const said: string[] = []
      outgoing.push({ calling, listener, said })
      return {
        ...answeredLeg(said),
        cancel: (headers = []) => said.push(`cancel ${headers.map(([, value]) => value).join()}`),
      }
    },
    request: async () => undefined,
    onInvite() {},
    onRequest() {},
    legs: () => outgoing.length,
    connectionsInUse: () => new Set(),
  }

  const route = (name: string, callee: Route['callee'] = 'carrier'): Route => ({
    calling: callingOf(name),
    callee,
    mayTryNext: ({ status }) => status === undefined || status >= 500,
    release: () => void released.push(name),
  })

  let clockAheadMs = 0
  let routes: OpenRoute[] = [() => route('carrier')]

  const deps = {
    userAgent,
    media,
    address: '127.0.0.1',
    codecs: { phones: g711Names, carriers: () => g711Names },
    allowsOpenKeys: false,
    timers,
    clock: { now: () => new Date(timers.now() + clockAheadMs) },
    log: createLog('silent'),
    findRoutes: (call) => {
      routed = call
      return routes
    },
    spool: {
      pathOf: (id: string) => `spool/${id}.wav`,
      toRecording: ({ seconds, bytes }) => ({
        seconds,
        bytes,
        open: () => Promise.reject(new Error('nothing was recorded')),
        discard: async () => {},
      }),
    },
    authorise() {},
    onRefer: () => 603,
    mediaSeconds: 30,
    emit: (event: CallEvent) => void events.push(event),
  } satisfies CallDeps

  return {
    deps,
    timers,
    events,
    outgoing,
    sound,
    released,
    route,
    emitted: () => events.map((event) => event.type),
    answered: () => events.find((event) => event.type === 'answered'),
    ended: () => events.find((event) => event.type === 'ended'),
    onMedia: (event: MediaEvent) => onMedia(event),
    /** The sides from which a packet came. */
    received,
    /** Sets the clock of the machine; no time elapses. */
    shiftClock(ms: number) {
      clockAheadMs += ms
    },
    refuseSound() {
      openFails = true
    },
    setRoutes(next: OpenRoute[]) {
      routes = next
    },
    soundsOpen: () => live,
    /** The last call for which routes were searched. */
    routed: () => routed,
    isPrivate: () => routed?.isPrivate ?? false,
    /** Lets pending promises settle; timers do not advance. */
    settle: () => new Promise<void>((resolve) => setImmediate(resolve)),
  }
}

export const callingOf = (name: string): Omit<InviteOptions, 'offer'> => ({
  uri: sipUri({ user: name, host: '127.0.0.1' }),
  target: { transport: 'udp', remote: { address: '127.0.0.1', port: 5070 } },
  from: parseAddress('<sip:1000@acme.example>'),
  to: parseAddress(`<sip:${name}@acme.example>`),
})

function answeredLeg(said: string[]) {
  return {
    callId: 'leg',
    remote: parseAddress('<sip:peer@127.0.0.1>'),
    hangUp: (headers: readonly (readonly [string, string])[] = []) =>
      void said.push(`hang up ${headers.map(([, value]) => value).join()}`),
    async offer() {
      said.push('offers again')
      return undefined
    },
    identify: (party: Address) => void said.push(`connected to ${formatAddress(party)}`),
    async info(body: Buffer, type: string) {
      said.push(`info ${type} ${body}`)
      return 200
    },
  }
}

/** The leg of an incoming INVITE. */
export function incomingLeg(remoteOffer: Sdp | undefined = description(4000), headers: HeaderPairs = []) {
  const said: string[] = []
  let listener: (LegListener & { onCancelled(q850?: number): void }) | undefined
  const leg: IncomingLeg = {
    ...answeredLeg(said),
    request: buildRequest({
      method: 'INVITE',
      uri: sipUri({ host: '127.0.0.1' }),
      headers: [['From', '<sip:1000@acme.example>;tag=1'], ...headers],
    }),
    flow: {
      transport: 'udp',
      local: { address: '127.0.0.1', port: 5060 },
      remote: { address: '127.0.0.1', port: 5071 },
    },
    remoteOffer,
    progress: (status, sdp) => void said.push(`${status}${sdp ? ' with sound' : ''}`),
    accept: (sdp) => void said.push(`200 at ${sdp.media[0]?.port}`),
    refuse: (status, _headers, phrase) => void said.push(phrase ? `${status} ${phrase}` : `${status}`),
    listen(wanted) {
      listener = wanted
    },
  }
  const listening = () => {
    if (!listener) throw new Error('nobody listens to the leg')
    return listener
  }
  return { leg, said, listener: listening }
}
