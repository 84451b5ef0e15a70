import { setImmediate } from 'node:timers/promises'
import { uuidv7 } from '../kit/ids.ts'
import { createTestTimers } from '../kit/testing/test-timers.ts'
import { describeEngine, type Person, type World } from './contract-suite.ts'
import { createFakeEngine } from './fake.ts'
import type { CallEvent, CallRequest, RegistrationEvent, Side } from './port.ts'

const extension = { domain: 'padaria.ramal.localhost', number: '1000' }

async function makeWorld(): Promise<World> {
  const timers = createTestTimers()
  const told: CallEvent[] = []
  const toldOfPhones: RegistrationEvent[] = []
  const engine = createFakeEngine(
    {
      credentials: () => undefined,
      registrations: async () => [],
      admitCall: async () => ({ rejected: 'CALL_REJECTED' }),
      onCall: (event) => void told.push(event),
      onRegistration: (event) => void toldOfPhones.push(event),
    },
    { timers, now: () => new Date(timers.now()), script: () => [] },
  )
  engine.register(extension)

  const newest = () => engine.placings().at(-1)?.callId ?? ''
  const refusals = { busy: 'USER_BUSY', declined: 'CALL_REJECTED' } as const

  function person(side: Side, rings: (callId: string) => void, answers: (callId: string) => void): Person {
    return {
      rings: async () => rings(newest()),
      answers: async () => answers(newest()),
      refuses: async (why) => engine.end(newest(), refusals[why], side),
      hangsUp: async () => void engine.hangUpBy(newest(), side),
    }
  }

  return {
    engine,
    extension,
    told,
    toldOfPhones,
    atExtension: person('extension', engine.ring, engine.pickUp),
    atDestination: person('other', engine.progress, engine.answer),
    wish: (change) => ({ ...usual, callId: uuidv7(new Date()), ...change }),
    async until(callId, type) {
      // Whatever it tells, it tells by then.
      await setImmediate()
      const found = told.find((event) => event.callId === callId && event.type === type)
      if (!found) throw new Error(`${type} was not told`)
      return found
    },
    pass: async (seconds) => timers.advance(seconds * 1000),
    close: () => engine.stop(),
  }
}

const usual: Omit<CallRequest, 'callId'> = {
  extension,
  shown: { number: '1000' },
  destination: { number: '5548999998888' },
  presented: undefined,
  record: false,
  limits: { ring: 45, answer: 60, talk: 3600 },
}

describeEngine('the fake', makeWorld)
