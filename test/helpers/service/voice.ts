/** The service with the fake engine: tests register phones and decide how they behave. */
import { createFakeEngine, type FakeEngine } from '../../../src/engine/fake.ts'
import { createTestTimers } from '../../../src/kit/testing/test-timers.ts'
import { createTestClock } from '../run/test-clock.ts'
import { openAccount } from './people.ts'
import { type Service, startService } from './service.ts'

export async function startVoiceService(settings: Record<string, string> = {}, startsAt?: string) {
  const clock = createTestClock(startsAt)
  const timers = createTestTimers()
  const engines: FakeEngine[] = []
  const makeEngine = (host: Parameters<typeof createFakeEngine>[0]) => {
    const engine = createFakeEngine(host, { now: clock.now })
    engines.push(engine)
    return engine
  }
  const service = await startService(settings, { clock, timers, engine: makeEngine })
  const [engine] = engines
  if (!engine) throw new Error('the service made no engine')
  return { ...service, clock, timers, engine, makeEngine, engines }
}
export type VoiceService = Awaited<ReturnType<typeof startVoiceService>>

/** D149: for tests that place the same call again while it rings. */
export const allowDuplicate = { 'X-Allow-Duplicate': 'true' }

const person = { senha: 's3nha-do-ramal', first_name: 'Ana', last_name: 'Souza' }

/** An account with extension 1000, whose phone is registered. */
export async function openOffice(service: VoiceService, change: object = {}) {
  const account = await openAccount(service as unknown as Service)
  const office = {
    ...account,
    extension: (number: string) => ({ domain: account.domain, number }),
    async addExtension(number: string, more: object = {}) {
      const input = { ...person, ramal: number, email_address: account.email, ...more }
      const { status, body } = await service.api.post('/extensions', input, account)
      if (status !== 200) throw new Error(`extension: ${status} ${JSON.stringify(body)}`)
      await service.engine.register(office.extension(number))
    },
  }
  await office.addExtension('1000', { bina: '+55 48 3333-4444', ...change })
  return office
}
export type Office = Awaited<ReturnType<typeof openOffice>>
