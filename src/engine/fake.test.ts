import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { uuidv7 } from '../kit/ids.ts'
import { createTestTimers } from '../kit/testing/test-timers.ts'
import { describeEngine, type Person, type World } from './contract-suite.ts'
import { createFakeNetwork } from './fake/network.ts'
import { createFakeEngine, type FakeEngine } from './fake.ts'
import type {
  AbandonedRecording,
  AcceptedCall,
  CallEvent,
  CallRequest,
  CodeCallRequest,
  EngineHost,
  ExtensionAccount,
  IncomingCall,
  Registration,
  RegistrationEvent,
  RejectedCall,
  Side,
} from './port.ts'
import { parseTrunks } from './trunk-settings/parse-trunks.ts'

const domain = 'padaria.ramal.localhost'
const extension = { domain, number: '1000' }
const colleague = { domain, number: '1001' }
const credentials = { password: 'right' }
const isKnown = (number: string) => number === extension.number || number === colleague.number
const mediaSeconds = 30

/** `provisioned`: the engine knows only extensions that were pushed to it. */
async function makeWorld(provisioned: boolean): Promise<World> {
  const timers = createTestTimers()
  const network = createFakeNetwork()
  const events: CallEvent[] = []
  const registrationEvents: RegistrationEvent[] = []
  const incomingCalls: IncomingCall[] = []
  let admission: AcceptedCall | RejectedCall = { rejected: 'CALL_REJECTED' }
  let known: Registration[] = []
  const revoked = new Set<number>()
  let engine: FakeEngine
  let callId = ''

  const host: EngineHost = {
    credentials: ({ number }, login) =>
      isKnown(number) && !revoked.has(login?.userId ?? 0) ? credentials : undefined,
    async *extensions() {
      yield { extension, credentials }
      yield { extension: colleague, credentials }
    },
    registrations: async () => known,
    async admitCall(call) {
      incomingCalls.push(call)
      return admission
    },
    onCall: (event) => void events.push(event),
    onRegistration: (event) => void registrationEvents.push(event),
  }

  async function open(): Promise<FakeEngine> {
    const opened = createFakeEngine(host, {
      timers,
      network,
      provisioned,
      mediaSeconds,
      records: true,
      sharesTrunks: true,
      now: () => new Date(timers.now()),
      script: () => [],
    })
    await opened.start()
    return opened
  }

  async function receive(call: IncomingCall) {
    const answer = await engine.receive(call)
    if ('callId' in answer) callId = answer.callId
  }

  function person(side: Side, rings: (id: string) => void, answers: (id: string) => void): Person {
    return {
      rings: async () => rings(callId),
      answers: async () => answers(callId),
      async refuses(why) {
        const cause = why === 'busy' ? 'USER_BUSY' : 'CALL_REJECTED'
        engine.end(callId, cause, side)
        engine.codeCalls.end(callId, cause)
      },
      async hangsUp() {
        engine.hangUpBy(callId, side)
        engine.codeCalls.end(callId, 'NORMAL_CLEARING')
      },
    }
  }

  engine = await open()
  engine.register(extension)
  const world: World = {
    engine,
    extension,
    events,
    registrationEvents,
    atExtension: person(
      'extension',
      (id) => engine.ring(id),
      (id) => engine.pickUp(id),
    ),
    atDestination: person(
      'other',
      (id) => engine.progress(id),
      (id) => {
        engine.answer(id)
        engine.codeCalls.answer(id)
      },
    ),
    request(change) {
      const request = { ...usual, callId: uuidv7(new Date()), ...change }
      callId = request.callId
      return request
    },
    codeRequest(change) {
      const request = { ...usualCode, callId: uuidv7(new Date()), ...change }
      callId = request.callId
      return request
    },
    async pressKeys(keys) {
      if (!engine.press(callId, keys, 'other', 'extension')) engine.codeCalls.press(callId, keys)
    },
    async until(id, type) {
      // Events are emitted in microtasks.
      await setImmediate()
      const found = events.find((event) => event.callId === id && event.type === type)
      if (!found) throw new Error(`${type} was not emitted`)
      return found
    },
    pass: async (seconds) => timers.advance(seconds * 1000),
    incoming: {
      calls: incomingCalls,
      admitWith(answer) {
        admission = answer
      },
      dial: (dialled) => receive({ from: { extension }, dialled }),
      bring: (dialled, from) => receive({ from: { trunk: 'main', callerId: { number: from } }, dialled }),
    },
    recording: { talk: async () => timers.advance(2_000) },
    async restart(how) {
      known = [engine.registration(extension) as Registration]
      if (how === 'killed') engine.kill()
      else await engine.stop()
      engine = await open()
      world.engine = engine
    },
    register: ({ name, number = extension.number, password = credentials.password }) =>
      engine.requestRegistration({ extension: { domain, number }, password, phone: name }),
    temporaryLogins: {
      register: (userId) =>
        engine.requestRegistration({ extension, password: credentials.password, phone: 'page', userId }),
      revoke: (userId) => void revoked.add(userId),
    },
    extensionInvite: async () => engine.extensionInvites().at(-1)?.headers ?? {},
    trunks: {
      first: 'main',
      second: 'spare',
      all: parseTrunks(JSON.stringify(['main', 'spare'].map((name) => ({ name, address: 'sip:192.0.2.1' })))),
      firstNumber: network.trunks[0]?.callerId ?? '',
      async failFirst() {
        for (const trunk of network.trunks.slice(0, 1)) trunk.failing = true
      },
      async reachedBy() {
        const { trunk = '', presented } = engine.trunkInvites().at(-1) ?? {}
        return { trunk, presented: presented?.number ?? '' }
      },
    },
    async silence(...sides) {
      for (const side of sides) engine.silence(callId, side)
      timers.advance(mediaSeconds * 1000)
    },
    close: () => engine.stop(),
  }
  return world
}

const usual: Omit<CallRequest, 'callId'> = {
  extension,
  shown: { number: '1000' },
  destination: { number: '5548999998888' },
  presented: undefined,
  record: false,
  limits: { ring: 45, answer: 60, talk: 3600 },
}

const usualCode: Omit<CodeCallRequest, 'callId'> = {
  number: '5548999998888',
  code: '482193',
  maxTries: 3,
  limits: { answer: 45, typing: 60 },
}

describeEngine('The fake engine', () => makeWorld(false), { cannot: ['hertz'] })
describeEngine('The fake engine with provisioned extensions', () => makeWorld(true), { cannot: ['hertz'] })

test('a provisioned engine knows the extensions of its start and those put since, until they are forgotten', async () => {
  const accounts: ExtensionAccount[] = [{ extension, credentials }]
  const engine = createFakeEngine(
    {
      credentials: () => undefined,
      extensions: async function* () {
        yield* accounts
      },
      registrations: async () => [],
      admitCall: async () => ({ rejected: 'CALL_REJECTED' }),
      onCall() {},
      onRegistration() {},
    },
    { provisioned: true },
  )
  await engine.start()
  const second = { domain, number: '1001' }
  const register = (one: typeof extension, password = 'right') =>
    engine.requestRegistration({ extension: one, password, phone: 'a' })
  expect([await register(extension), await register(second)]).toEqual([true, false])
  engine.put({ extension: second, credentials })
  expect([await register(second, 'wrong'), await register(second)]).toEqual([false, true])
  engine.forget(second)
  expect([await register(second), engine.registration(second)]).toEqual([false, undefined])
})

const silentHost: EngineHost = {
  credentials: () => credentials,
  async *extensions() {},
  registrations: async () => [],
  admitCall: async () => ({ rejected: 'CALL_REJECTED' }),
  onCall() {},
  onRegistration() {},
}

test('duty 2: calls of a killed engine are not live calls of the next one, even before its start', async () => {
  const network = createFakeNetwork()
  const first = createFakeEngine(silentHost, { network, script: () => [] })
  await first.start()
  await first.register(extension)
  first.place({ ...usual, callId: uuidv7(new Date()) })
  expect(first.liveCalls()).toHaveLength(1)
  first.kill()

  const second = createFakeEngine(silentHost, { network, script: () => [] })
  // The lease of a node is renewed before its engine is started, and stamps what the engine calls live.
  expect(second.liveCalls()).toEqual([])
  await second.start()
  expect(second.liveCalls()).toEqual([])
})

test('a recording that was discarded cannot be opened', async () => {
  const recording = createFakeNetwork().record(uuidv7(new Date()), 5, new Date())
  await recording.open()
  await recording.discard()
  await expect(recording.open()).rejects.toThrow('was discarded')
})

test('a killed engine leaves what it has recorded of its calls to the next one', async () => {
  let seconds = 0
  const now = () => new Date(Date.UTC(2026, 10, 17) + seconds * 1000)
  const network = createFakeNetwork()
  const options = { network, now, records: true }
  const first = createFakeEngine(silentHost, { ...options, script: () => ['rings', 'picksUp', 'answers'] })
  await first.start()
  await first.register(extension)
  const callId = uuidv7(now())
  first.place({ ...usual, callId, record: true })
  await setImmediate()
  seconds = 5
  first.kill()

  const second = createFakeEngine(silentHost, options)
  await second.start()
  const abandoned: AbandonedRecording[] = []
  for await (const one of second.abandonedRecordings()) abandoned.push(one)
  expect(abandoned).toMatchObject([{ callId, recording: { seconds: 5 } }])
})
