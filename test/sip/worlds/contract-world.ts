/** The world of the contract suite around an engine that is opened for each test. */
import type { Ability, Person, World } from '../../../src/engine/contract-suite.ts'
import type { Registration } from '../../../src/engine/port.ts'
import { createFastForwardTimers } from '../engine/fast-forward-timers.ts'
import { callRequest, codeCallRequest, domain, openTestHost, type TestHost } from '../engine/test-host.ts'

export const extension = { domain, number: '1000' }

/** What these worlds cannot do; the world of our own endpoints can. */
export const lacking: Ability[] = [
  'incoming',
  'recording',
  'hertz',
  'restart',
  'killed',
  'register',
  'temporaryLogins',
  'extensionInvite',
  'trunks',
  'silence',
  'pressKeys',
]

type People = {
  atExtension: Person
  atDestination: Person
  /** Called when the engine is gone. */
  leave(): Promise<unknown>
}

type Place = {
  carrierPort: number
  /** The phone from before, if it outlived another engine; then it need not register. */
  known?: Registration | undefined
  /** Brings the phone, which registers as 1000, and who is to be found at the carrier. */
  enter(testHost: TestHost): Promise<People>
}

export async function openContractWorld({ carrierPort, known, enter }: Place): Promise<World> {
  const timers = createFastForwardTimers()
  const testHost = await openTestHost({
    timers,
    registrations: known ? [known] : [],
    trunks: [{ name: 'carrier', address: `sip:127.0.0.1:${carrierPort}`, qualifySeconds: 0 }],
  })
  const { leave, ...people } = await enter(testHost)
  if (!known) await testHost.registered(extension.number)
  return {
    engine: testHost.engine,
    extension,
    request: (change) => callRequest({ limits: { ring: 60, answer: 60, talk: 60 }, ...change }),
    codeRequest: codeCallRequest,
    ...people,
    events: testHost.calls,
    registrationEvents: testHost.phones,
    until: testHost.until,
    pass: timers.pass,
    async close() {
      await testHost.stop()
      await leave()
    },
  }
}
