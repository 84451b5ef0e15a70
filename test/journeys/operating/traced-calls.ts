/** A service with the real engine, a phone and a carrier, between which a call is dialled: its SIP messages are the subject. */
import { toneSource } from '../../../src/engine/endpoint/audio/audio-source.ts'
import { createSoftphone, type PhoneEvent } from '../../../src/engine/endpoint/softphone/softphone.ts'
import { systemClock } from '../../../src/kit/clock.ts'
import { createLog } from '../../../src/kit/process/log.ts'
import { systemTimers } from '../../../src/kit/timers.ts'
import { openAccount } from '../../helpers/service/people.ts'
import { type Service, startService } from '../../helpers/service/service.ts'
import type { openCarrier } from '../../sip/engine/test-carrier.ts'
import { createJournal } from '../../sip/peers/journal.ts'

const senha = 's3nha-do-ramal'

type Account = Awaited<ReturnType<typeof openAccount>>
type Carrier = Awaited<ReturnType<typeof openCarrier>>

export async function startTracedService({ port }: Pick<Carrier, 'port'>, settings: Record<string, string>) {
  const trunk = {
    name: 'main',
    address: `sip:127.0.0.1:${port}`,
    qualifySeconds: 0,
    callerId: '551130001000',
  }
  return await startService(
    { CONSOLE: 'on', SIP_PORT: '0', SIP_WS_PORT: '0', TRUNKS: JSON.stringify([trunk]), ...settings },
    { engine: undefined, clock: systemClock },
  )
}

/** An account with extension 1000. */
export async function openTracedAccount(service: Service): Promise<Account> {
  const account = await openAccount(service)
  const person = { first_name: 'Ana', last_name: 'Souza', email_address: account.email }
  await service.api.post('/extensions', { ...person, ramal: '1000', senha }, account)
  return account
}

/** The phone of extension 1000, once it is registered. */
export async function startTracedPhone({ url }: Service, { domain }: Account) {
  const { SIP = '' } = (await (await fetch(`${url}/addresses`)).json()) as { SIP: string }
  const events = createJournal<PhoneEvent>('softphone')
  const phone = await createSoftphone({
    extension: '1000',
    password: senha,
    domain,
    transport: 'udp',
    answer: 'auto',
    server: { address: '127.0.0.1', port: Number(SIP.split(':').at(-1)) },
    play: () => toneSource(440),
    timers: systemTimers,
    log: createLog('silent'),
    onEvent: events.write,
  })
  await events.until(({ type }) => type === 'registered')
  return { ...phone, until: events.until }
}
export type TracedPhone = Awaited<ReturnType<typeof startTracedPhone>>
