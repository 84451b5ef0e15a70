/** A testHost with two baresips: the phone of extension 1000, which says 440 Hz, and the carrier, which says 1000 Hz. */
import type { EmbeddedSettings } from '../../../src/engine/embedded/settings.ts'
import type { AcceptedCall } from '../../../src/engine/port.ts'
import { destination, domain, openTestHost, passwordOf } from '../engine/test-host.ts'
import { type Baresip, startBaresip } from '../peers/baresip.ts'

export const phoneHertz = 440
export const carrierHertz = 1000
export const ringbackHertz = 425

/** What a recording has on its channels, and what it never has. */
export const bothTones = { left: phoneHertz, right: carrierHertz, never: [ringbackHertz] }

export async function pickUp(whose: Baresip) {
  await whose.incoming()
  await whose.accept()
}

type Options = {
  transport?: 'udp' | 'tcp'
  phoneCodecs?: string[]
  carrierCodecs?: string[]
  /** The host's answer to an incoming call; without, it is rejected. */
  accepted?: AcceptedCall
  settings?: Partial<EmbeddedSettings>
}

export async function openTwo(options: Options = {}) {
  const { transport = 'udp', phoneCodecs, carrierCodecs, accepted, settings } = options
  const carrier = await startBaresip({
    domain: 'carrier.test',
    extension: destination,
    hertz: carrierHertz,
    ...(carrierCodecs && { codecs: carrierCodecs }),
  })
  const address = `sip:127.0.0.1:${carrier.port};transport=${transport}`
  const testHost = await openTestHost({
    trunks: [{ name: 'carrier', address, qualifySeconds: 0 }],
    ...(accepted && { admit: () => accepted }),
    ...(settings && { settings }),
  })
  const phone = await startPhone(testHost.server, '1000', {
    transport,
    hertz: phoneHertz,
    ...(phoneCodecs && { codecs: phoneCodecs }),
  })
  await testHost.registered('1000')

  return {
    testHost,
    carrier,
    phone,
    async stop() {
      await phone.stop()
      await carrier.stop()
      await testHost.stop()
    },
  }
}
export type Two = Awaited<ReturnType<typeof openTwo>>

type PhoneOptions = Pick<Parameters<typeof startBaresip>[0], 'transport' | 'hertz' | 'codecs' | 'encryption'>

export function startPhone(server: string, extension: string, options: PhoneOptions) {
  return startBaresip({ server, domain, extension, password: passwordOf(extension), ...options })
}
