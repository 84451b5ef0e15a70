/** Bad networks on both sides of the engine, with the timers of RFC 3261 as they are: every call is set up, and ends. */
import { describe, expect, test } from 'vitest'
import { noAudio } from '../../../src/engine/endpoint/audio/audio-source.ts'
import { programMissing } from '../../helpers/programs/programs.ts'
import { type DeskPhone, keep, openEngineSetup, soon, startDeskPhone } from '../engine/engine-setup.ts'
import { openCarrier } from '../engine/test-carrier.ts'
import { domain } from '../engine/test-host.ts'
import { chance, losingFirstCopies, startLossyProxy } from '../peers/lossy-proxy.ts'
import { startSipp } from '../peers/sipp.ts'

const weather = { loss: 0.1, duplication: 0.1, reordering: 0.1 }
const limits = { ring: 60, answer: 60, talk: 60 }
/** All of it is slow: what is lost is said again after half a second, a second, two. */
const within = 60_000

const endings = [
  'the desk hangs up',
  'the carrier hangs up',
  'we hang up',
  'we give up as they answer',
] as const

describe.concurrent('with one packet in ten lost, one doubled and one late, on both sides', () => {
  const [desks, rounds] = [25, 4]

  test(`${desks * rounds} calls are all set up, and all end once`, {
    timeout: 120_000,
  }, async (t) => {
    const carrier = await openCarrier(t)
    const fate = (seed: number) => chance({ ...weather, seed })
    const toCarrier = keep(t, await startLossyProxy({ target: carrier.port, fate: fate(1) }))
    const trunk = { qualifySeconds: 0, channels: 1000, callsPerSecond: 1000 }
    const trunks = [{ name: 'carrier', address: `sip:127.0.0.1:${toCarrier.port}`, ...trunk }]
    const office = keep(t, await openEngineSetup(0, { trunks }))
    const toUs = keep(t, await startLossyProxy({ target: office.port, fate: fate(2) }))

    async function call(desk: DeskPhone, number: string, round: number, ending: (typeof endings)[number]) {
      const placed = office.place({ extension: { domain, number }, limits })
      const { call: theirs } = await carrier.incoming(placed.callId, within)
      const answered = theirs.answer(noAudio())
      if (ending !== 'we give up as they answer') await placed.until('answered', within)
      await answered
      if (ending === 'the desk hangs up') desk.hangUp()
      else if (ending === 'the carrier hangs up') theirs.hangUp()
      else office.engine.hangUp(placed.callId)
      const { events, cause } = await placed.ended(within)
      const talked = ending !== 'we give up as they answer'
      expect(cause).toBe(talked ? 'NORMAL_CLEARING' : 'ORIGINATOR_CANCEL')
      expect(events.filter((type) => type === 'answered')).toHaveLength(talked ? 1 : 0)
      // The desk phone may learn of it later; until then it is busy.
      await soon(() => expect(desk.events.filter(({ type }) => type === 'ended')).toHaveLength(round), within)
      await theirs.ended
    }

    async function sitAndCall(place: number) {
      const number = `${2000 + place}`
      const desk = keep(t, await startDeskPhone(office, { number, port: toUs.port, play: noAudio }))
      for (let round = 1; round <= rounds; round += 1) {
        await call(desk, number, round, endings[(place + round) % endings.length] ?? 'we hang up')
      }
    }

    await Promise.all(Array.from({ length: desks }, (_, place) => sitAndCall(place)))
    expect(office.calls.filter(({ type }) => type === 'ended')).toHaveLength(desks * rounds)
    expect(carrier.arrived).toHaveLength(desks * rounds)
    await soon(() => expect([office.engine.metrics().sip_legs, carrier.legs()]).toEqual([0, 0]), within)
    for (const { counts } of [toCarrier, toUs]) {
      for (const harm of [counts.lost, counts.doubled, counts.late]) expect(harm).toBeGreaterThan(25)
    }
    expect(office.engine.metrics().sip_repetitions_received_total).toBeGreaterThan(0)
    await office.isAtRest()
  })
})

describe.skipIf(programMissing('sipp'))('with messages to and from SIPp lost', () => {
  test('its calls are all answered, and all end', { timeout: 120_000 }, async (t) => {
    const count = 12
    // It repeats by itself what is lost; of doubled packets it makes too much, and it calls an overtaken ACK a failure.
    const callee = { scenario: 'callee-answers-patiently', calls: count, pause: 0, patience: 60 }
    const carrier = keep(t, await startSipp(callee))
    const fate = losingFirstCopies(0.3, 3)
    const proxy = keep(t, await startLossyProxy({ target: carrier.port, fate }))
    const office = keep(t, await openEngineSetup(proxy.port))

    async function sitAndCall(place: number) {
      const number = `${2000 + place}`
      const desk = keep(t, await startDeskPhone(office, { number, play: noAudio }))
      const call = office.place({ extension: { domain, number }, limits })
      await call.until('answered', within)
      desk.hangUp()
      expect(await call.ended(within)).toMatchObject({ cause: 'NORMAL_CLEARING', by: 'extension' })
    }

    await Promise.all(Array.from({ length: count }, (_, place) => sitAndCall(place)))
    await soon(() => expect(office.engine.metrics().sip_legs).toBe(0), within)
    await carrier.stop()
    const { messages } = await carrier.finished
    const ended = messages.matchAll(/^BYE [\s\S]*?^Call-ID: (\S+)/gm)
    expect(new Set([...ended].map(([, id]) => id)).size).toBe(count)
    expect(proxy.counts.lost).toBeGreaterThan(5)
    await office.isAtRest()
  })
})
