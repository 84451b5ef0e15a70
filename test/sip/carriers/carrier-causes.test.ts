/** Causes of ended calls with Asterisk as the carrier, and failover when a carrier does not respond. */
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, type TestContext, test } from 'vitest'
import type { Cause } from '../../../src/contract/calls/causes.ts'
import { keep, openEngineSetup, startDeskPhone } from '../engine/engine-setup.ts'
import { type Asterisk, asteriskMissing, startAsterisk } from '../peers/asterisk.ts'
import { freeNeighbours } from '../peers/ports.ts'

/** By the Q.850 cause with which the number is refused, or the talk ended. */
const refusing = (q850: number) => `55489999901${String(q850).padStart(2, '0')}`
const hangingUp = (q850: number) => `55489999902${String(q850).padStart(2, '0')}`
const answering = '5548999990001'
const neverAnswering = '5548999990002'

const refusals: [number, Cause][] = [
  [1, 'UNALLOCATED_NUMBER'],
  [17, 'USER_BUSY'],
  [19, 'NO_ANSWER'],
  [21, 'CALL_REJECTED'],
  [22, 'NUMBER_CHANGED'],
  [27, 'DESTINATION_OUT_OF_ORDER'],
  [28, 'INVALID_NUMBER_FORMAT'],
  [34, 'NORMAL_CIRCUIT_CONGESTION'],
]
const ends: [number, Cause][] = [
  [16, 'NORMAL_CLEARING'],
  [31, 'NORMAL_UNSPECIFIED'],
  [41, 'NORMAL_TEMPORARY_FAILURE'],
]

describe.skipIf(asteriskMissing())('with Asterisk as the carrier', () => {
  let asterisk: Asterisk

  beforeAll(async () => {
    asterisk = await startAsterisk({
      acts: {
        ...Object.fromEntries(refusals.map(([q850]) => [refusing(q850), { refuses: q850 }])),
        ...Object.fromEntries(ends.map(([q850]) => [hangingUp(q850), { talks: 0.1, endsWith: q850 }])),
        [answering]: {},
        [neverAnswering]: { rings: 'for ever' },
      },
    })
  })
  afterAll(() => asterisk?.stop())

  /** With carriers at these addresses, to be tried in this order. */
  async function open(context: TestContext, addresses = [`sip:127.0.0.1:${asterisk.port}`]) {
    const trunks = addresses.map((address, index) => ({
      name: `carrier-${index + 1}`,
      address,
      priority: index + 1,
      qualifySeconds: 0,
    }))
    const office = keep(context, await openEngineSetup(0, { trunks }))
    const phone = keep(context, await startDeskPhone(office))
    return { ...office, phone }
  }

  test('a refusal has its cause', async (context) => {
    const office = await open(context)
    for (const [q850, cause] of refusals) {
      const call = office.place({ destination: { number: refusing(q850) } })
      expect(await call.ended(), `refused with ${q850}`).toMatchObject({ cause, by: 'other' })
    }
    await office.isAtRest()
  })

  test('a carrier that hangs up gives the cause', async (context) => {
    const office = await open(context)
    for (const [q850, cause] of ends) {
      const call = office.place({ destination: { number: hangingUp(q850) } })
      expect(await call.ended(), `hung up with ${q850}`).toMatchObject({ cause, by: 'other' })
    }
    await office.isAtRest()
  })

  test('a number that is never answered is cancelled at the carrier', async (context) => {
    const office = await open(context)
    const after = asterisk.events.length
    const limits = { ring: 20, answer: 15, talk: 60 }
    const call = office.place({ destination: { number: neverAnswering }, limits })
    await call.until('progress')
    await office.pass(15)
    expect(await call.ended()).toMatchObject({ cause: 'NO_ANSWER', by: 'service' })
    await asterisk.allEnded(after)
    await office.isAtRest()
  })

  /** The call is answered by Asterisk, the second carrier. */
  async function isPassedOn(office: Awaited<ReturnType<typeof open>>, callId: string) {
    await office.until(callId, 'answered')
    expect(office.engine.hangUp(callId)).toBe(true)
    await office.until(callId, 'ended')
    await asterisk.allEnded()
    await office.isAtRest()
  }
  const limits = { ring: 20, answer: 60, talk: 60 }

  test('over TCP, a carrier where nobody listens is passed over', async (context) => {
    const dead = `sip:127.0.0.1:${await freeNeighbours(1)};transport=tcp`
    const office = await open(context, [dead, `sip:127.0.0.1:${asterisk.port}`])
    const { callId } = office.place({ destination: { number: answering }, limits })
    await isPassedOn(office, callId)
  })

  test('over UDP, a carrier that does not respond is passed over when the transaction times out', async (context) => {
    const silent = createSocket('udp4')
    context.onTestFinished(() => void silent.close())
    await once(silent.bind(0, '127.0.0.1'), 'listening')
    const invited = once(silent, 'message')
    const office = await open(context, [
      `sip:127.0.0.1:${silent.address().port}`,
      `sip:127.0.0.1:${asterisk.port}`,
    ])
    const { callId } = office.place({ destination: { number: answering }, limits })
    await invited
    // The phone is heard: otherwise the call ends after 30 s (D420).
    await office.phone.hasTalked()
    // RFC 3261, timer B.
    await office.pass(33)
    await isPassedOn(office, callId)
  })

  test('without a responding carrier the network is out of order', async (context) => {
    const ports = [await freeNeighbours(1), await freeNeighbours(1)]
    const office = await open(
      context,
      ports.map((port) => `sip:127.0.0.1:${port};transport=tcp`),
    )
    const call = office.place({ destination: { number: answering } })
    expect(await call.ended()).toMatchObject({ cause: 'NETWORK_OUT_OF_ORDER', by: 'service' })
    await office.isAtRest()
  })

  test('a carrier without channels is skipped, one whose number is busy is not', async (context) => {
    const congested = keep(
      context,
      await startAsterisk({ acts: { [answering]: { refuses: 34 }, [neverAnswering]: { refuses: 17 } } }),
    )
    const office = await open(
      context,
      [congested, asterisk].map(({ port }) => `sip:127.0.0.1:${port}`),
    )
    const call = office.place({ destination: { number: answering } })
    await call.until('answered')
    office.engine.hangUp(call.callId)
    await call.ended()
    const busy = office.place({ destination: { number: neverAnswering } })
    expect(await busy.ended()).toMatchObject({ cause: 'USER_BUSY', by: 'other' })
    await office.isAtRest()
  })
})
