/** Asterisk as the carrier of the service: customers who answer, each with a tone of their own, and who call. */

import { setTimeout as pause } from 'node:timers/promises'
import { type Asterisk, asteriskMissing, startAsterisk } from '../../sip/peers/asterisk.ts'
import { secondsOfTone } from '../../sip/peers/tones.ts'
import { Skipped } from '../runner/programs.ts'
import { machineAddress } from './machine-address.ts'

/** Numbers of customers by who calls them: a number belongs to one step, so that concurrent calls can be distinguished. */
export const customers = {
  seller: '5548999990440',
  sellerClickToCall: '5548999990441',
  colleague: '5548999990442',
  colleagueClickToCall: '5548999990443',
  transferTarget: '5548999990660',
  colleagueTransferTarget: '5548999990661',
  operatorUpdate: '5548999990700',
  operatorKill: '5548999990701',
} as const

/** The libraries hang up a call each, to numbers from this one on. */
const firstOfLibraries = 5_548_999_995_000
export const customerOfLibrary = (index: number) => String(firstOfLibraries + index)
const maxLibraries = 60

/** Customers of those who use the console, by the number of their browser. */
const firstOfConsole = 5_548_999_996_000
export const customerOfConsole = (browser: number, at: number) => String(firstOfConsole + 100 * browser + at)
const maxOfConsole = 200

/** What customers say, and those who call us. */
export const hertz = { customer: 440, transferTarget: 660, caller: 550 } as const
const talkMs = 2500
const callersAct = '5548999990550'

export async function startCarrier() {
  if (asteriskMissing()) throw new Skipped('Asterisk is not there: "tools/asterisk.sh setup" fetches it')
  const talking = { hertz: hertz.customer, records: true }
  const otherTone = { hertz: hertz.transferTarget, records: true }
  const acts = {
    ...Object.fromEntries(Object.values(customers).map((number) => [number, talking])),
    ...Object.fromEntries(Array.from({ length: maxLibraries }, (_, at) => [customerOfLibrary(at), talking])),
    ...Object.fromEntries(
      Array.from({ length: maxOfConsole }, (_, at) => [customerOfConsole(0, at), { hertz: hertz.customer }]),
    ),
    [customers.transferTarget]: otherTone,
    [customers.colleagueTransferTarget]: otherTone,
    [callersAct]: { hertz: hertz.caller, records: true },
  }
  const asterisk = await startAsterisk({ acts })

  /** The call to a customer, once they have answered. */
  async function answeredBy(number: string) {
    const { Uniqueid: channel = '' } = await asterisk.arrival(number)
    await asterisk.answered(channel)
    return callOf(asterisk, channel)
  }

  /** A customer calls a number of ours. */
  async function call(number: string, sipPort: number, from = '5548988887777') {
    const to = `sip:${number}@127.0.0.1:${sipPort}`
    const caller = { name: 'Cliente', number: from }
    const channel = await asterisk.originate({ from: 'carrier', to, thenActs: callersAct, caller })
    return callOf(asterisk, channel)
  }

  return {
    trunks: JSON.stringify([
      {
        name: 'asterisk',
        address: `sip:127.0.0.1:${asterisk.port}`,
        // Its sound comes from there.
        trust: [machineAddress()],
        callerId: '554830001000',
      },
    ]),
    answeredBy,
    call,
    stop: asterisk.stop,
  }
}
export type Carrier = Awaited<ReturnType<typeof startCarrier>>

function callOf(asterisk: Asterisk, channel: string) {
  return {
    answered: () => asterisk.answered(channel),
    ended: (within = 20_000) => asterisk.ended(channel, within),
    /** Long enough that tones are recognised. */
    talk: () => pause(talkMs),
    hangUp: () => asterisk.hangUp(channel),
    /** For how long the customer heard a tone, once the call is over. */
    heardSeconds: async (tone: number) => secondsOfTone(await asterisk.heard(channel), tone),
  }
}
