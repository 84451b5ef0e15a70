/** A house with two baresips: the phone of extension 1000, which says 440 Hz, and the carrier, which says 1000 Hz. */
import type { AcceptedCall } from '../../../src/engine/port.ts'
import { destination, domain, openHouse, passwordOf } from '../house.ts'
import { type Baresip, startBaresip } from '../witnesses/baresip.ts'

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
  /** What becomes of a call that comes by itself; without, it is barred. */
  arrival?: AcceptedCall
}

export async function openTwo({ transport = 'udp', phoneCodecs, carrierCodecs, arrival }: Options = {}) {
  const carrier = await startBaresip({
    domain: 'carrier.test',
    extension: destination,
    hertz: carrierHertz,
    ...(carrierCodecs && { codecs: carrierCodecs }),
  })
  const address = `sip:127.0.0.1:${carrier.port};transport=${transport}`
  const house = await openHouse({
    trunks: [{ name: 'carrier', address, qualifySeconds: 0 }],
    ...(arrival && { arrival: () => arrival }),
  })
  const phone = await startPhone(house.server, '1000', {
    transport,
    hertz: phoneHertz,
    ...(phoneCodecs && { codecs: phoneCodecs }),
  })
  await house.registered('1000')

  return {
    house,
    carrier,
    phone,
    async stop() {
      await phone.stop()
      await carrier.stop()
      await house.stop()
    },
  }
}
export type Two = Awaited<ReturnType<typeof openTwo>>

type PhoneOptions = { transport?: 'udp' | 'tcp'; hertz: number; codecs?: string[] }

export function startPhone(server: string, extension: string, options: PhoneOptions) {
  return startBaresip({ server, domain, extension, password: passwordOf(extension), ...options })
}
