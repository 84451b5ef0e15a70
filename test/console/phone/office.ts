/**
 * A service with a carrier, and accounts whose extension 1000 has the phone of the console, and 1001 a softphone. It has
 * an address of this machine other than loopback, to which Firefox sends no sound (D401).
 */
import { networkInterfaces } from 'node:os'
import { expect } from 'vitest'
import { phoneWords } from '../../../console/phone/words.ts'
import { shellWords } from '../../../console/shell/words.ts'
import { toneSource } from '../../../src/engine/endpoint/audio/audio-source.ts'
import { createSoftphone, type PhoneEvent } from '../../../src/engine/endpoint/softphone/softphone.ts'
import { systemClock } from '../../../src/kit/clock.ts'
import { createLog } from '../../../src/kit/process/log.ts'
import { systemTimers } from '../../../src/kit/timers.ts'
import { programMissing } from '../../helpers/programs/programs.ts'
import { assignNumber } from '../../helpers/service/operator.ts'
import { openAccount } from '../../helpers/service/people.ts'
import { startService } from '../../helpers/service/service.ts'
import { soon } from '../../sip/engine/engine-setup.ts'
import { openCarrier } from '../../sip/engine/test-carrier.ts'
import { createJournal } from '../../sip/peers/journal.ts'
import { type ConsolePage, startChromiumConsole, startFirefoxConsole } from './page.ts'

export const microphoneHertz = 440
export const carrierHertz = 1000
export const colleagueHertz = 700
const called = '+5548999990000'
const senha = 's3nha-do-ramal'

const publicHost = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .find(({ family, internal }) => family === 'IPv4' && !internal)?.address

const isMissing = (program: string) => programMissing(program) || publicHost === undefined

export const browsers = [
  {
    name: 'Chromium',
    isMissing: isMissing('chromium'),
    language: 'pt',
    words: phoneWords.pt,
    start: startChromiumConsole,
  },
  {
    name: 'Firefox',
    isMissing: isMissing('firefox-esr'),
    language: 'en',
    words: phoneWords.en,
    start: startFirefoxConsole,
  },
] as const

export async function startPhoneService(rtpPorts: string) {
  const closers: (() => unknown)[] = []
  const carrier = await openCarrier(
    { onTestFinished: (close) => void closers.push(close as () => unknown) },
    { answers: true },
  )
  const trunk = {
    name: 'main',
    address: `sip:127.0.0.1:${carrier.port}`,
    qualifySeconds: 0,
    callerId: '551130001000',
  }
  const settings = {
    CONSOLE: 'on',
    SIP_HOST: '0.0.0.0',
    SIP_PUBLIC_HOST: publicHost ?? '',
    SIP_PORT: '0',
    SIP_WS_PORT: '0',
    RTP_PORTS: rtpPorts,
    TRUNKS: JSON.stringify([trunk]),
  }
  const service = await startService(settings, { engine: undefined, clock: systemClock })
  await service.app.consoleBuild?.finished
  const addresses = (await (await fetch(`${service.url}/addresses`)).json()) as { SIP: string }
  const sipPort = Number(addresses.SIP.split(':').at(-1))
  let offices = 0

  async function openOffice() {
    const account = await openAccount(service)
    offices += 1
    const bina = `55483333440${offices}`
    await assignNumber(service, bina, account.domain)
    const person = { senha, first_name: 'Ana', last_name: 'Souza' }
    for (const extension of [
      { ...person, ramal: '1000', email_address: account.email, bina },
      { ...person, ramal: '1001', email_address: `bia@${account.domain}` },
    ])
      expect((await service.api.post('/extensions', extension, account)).status).toBe(200)
    return {
      ...account,
      /** The number of extension 1000. */
      bina,
      /** By the API; returns the id of the call. */
      place: async (extension: string): Promise<string> =>
        (await service.api.post('/calls', { extension, called }, account)).body.id,
      get: async (path: string) => (await service.api.get(path, account)).body,
      post: (path: string, body: object) => service.api.post(path, body, account),
      patch: (path: string, body: object) => service.api.patch(path, body, account),
      put: (path: string, body: object) => service.api.send('PUT', path, body, account),
    }
  }

  /** Answers at once, and plays a tone. */
  async function startColleague({ domain }: { domain: string }) {
    const events = createJournal<PhoneEvent>('colleague')
    const phone = await createSoftphone({
      extension: '1001',
      password: senha,
      domain,
      transport: 'udp',
      answer: 'auto',
      server: { address: '127.0.0.1', port: sipPort },
      play: () => toneSource(colleagueHertz),
      timers: systemTimers,
      log: createLog('silent'),
      onEvent: events.write,
    })
    await events.until(({ type }) => type === 'registered')
    return phone
  }

  return {
    url: service.url,
    openOffice,
    startColleague,
    incoming: carrier.incoming,
    hasDialled: (callId: string) => carrier.arrived.some((one) => one.callId === callId),
    /** A call from outside. */
    callFromOutside: (number: string) => carrier.call(number, sipPort),
    async stop() {
      await service.stop()
      for (const close of closers) await close()
    },
  }
}
export type PhoneService = Awaited<ReturnType<typeof startPhoneService>>
export type Office = Awaited<ReturnType<PhoneService['openOffice']>>

type Person = { email: string; password: string }

/** Types the password on the page of the phone. */
export async function signIn(page: ConsolePage, { email, password }: Person, language: 'pt' | 'en') {
  await page.goto('/console/phone')
  await page.type('input[type=email]', email)
  await page.type('input[type=password]', password)
  await page.click(shellWords[language].signIn)
}

export const until = (page: ConsolePage, selector: string) =>
  soon(async () => {
    const isThere = await page.evaluate(`document.querySelector('${selector}') !== null`)
    expect(isThere, selector).toBe(true)
  }, 30_000)
