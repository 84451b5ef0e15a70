/** D420: phones that answer, or dial, and whose sound never comes. */
import { describe, expect, test } from 'vitest'
import type { AcceptedCall } from '../../../src/engine/port.ts'
import { programMissing } from '../../helpers/programs/programs.ts'
import { keep, openEngineSetup, soon, startDeskPhone, type TestScope } from '../engine/engine-setup.ts'
import { openCarrier } from '../engine/test-carrier.ts'
import { destination, domain, passwordOf } from '../engine/test-host.ts'
import { startJsSip } from '../peers/jssip.ts'
import { runSipp, startSipp } from '../peers/sipp.ts'

const callId = 'dialled-on-a-phone'
const toNumber: AcceptedCall = {
  callId,
  destination: { number: destination },
  presented: undefined,
  record: false,
  limits: { ring: 60, answer: 60, talk: 600 },
}

async function setUp(t: TestScope, accepted = toNumber) {
  const carrier = await openCarrier(t, { answers: true })
  const office = keep(t, await openEngineSetup(carrier.port, { admit: () => accepted }))
  return { ...office, carrier }
}

/** A page that answers and dials as a browser does, and has no sound. */
async function openDeadPage(t: TestScope, { webSocket }: { webSocket: string }, extension = '1000') {
  const password = passwordOf(extension)
  const page = keep(t, await startJsSip({ url: webSocket, domain, extension, password, isDead: true }))
  page.register()
  await page.until('registered')
  return page
}

describe('a web phone whose page crashed', { concurrent: true, timeout: 60_000 }, () => {
  test('answers a placed call: the call ends, and the destination was never dialled', async (t) => {
    const office = await setUp(t)
    const page = await openDeadPage(t, office)
    const call = office.place()
    await page.until('incoming')
    page.answer()
    await call.until('extensionAnswered')
    await office.pass(10)
    expect(await call.ended()).toMatchObject({
      events: ['ringing', 'extensionAnswered', 'ended'],
      cause: 'MEDIA_TIMEOUT',
      by: 'service',
    })
    expect(await page.until('ended')).toMatchObject({ by: 'remote' })
    expect(office.carrier.arrived).toEqual([])
    await office.isAtRest()
  })

  test('dials: the call ends as soon as it is clear that it has no sound, and is not charged', async (t) => {
    const office = await setUp(t)
    const page = await openDeadPage(t, office)
    page.call(destination)
    await office.until(callId, 'answered')
    await page.until('confirmed')
    await office.pass(10)
    expect(await office.until(callId, 'ended')).toMatchObject({
      cause: 'MEDIA_TIMEOUT',
      by: 'service',
      unheard: true,
    })
    await soon(() => expect(office.carrier.legs()).toBe(0))
    await office.isAtRest()
  })

  test('takes a call: the caller is not answered', async (t) => {
    const toPage = { ...toNumber, destination: { extension: { domain, number: '1001' } } }
    const office = await setUp(t, toPage)
    const page = await openDeadPage(t, office, '1001')
    const caller = keep(t, await startDeskPhone(office))
    caller.call('1001')
    await page.until('incoming')
    page.answer()
    await page.until('confirmed')
    await office.pass(10)
    expect(await office.until(callId, 'ended')).toMatchObject({ cause: 'MEDIA_TIMEOUT', by: 'service' })
    expect(office.calls.map(({ type }) => type)).toEqual(['extensionAnswered', 'progress', 'ended'])
    await page.until('ended')
    await office.isAtRest()
  })
})

describe.skipIf(programMissing('sipp'))('a desk phone', { concurrent: true, timeout: 60_000 }, () => {
  test('that answers and never sends a packet ends the call, which is not charged', async (t) => {
    const office = await setUp(t)
    const proof = { username: '1000', password: passwordOf('1000') }
    const keys = { caller: '1000' }
    const remote = office.server
    const { port } = await runSipp({
      scenario: 'phone-registers',
      remote,
      service: destination,
      ...proof,
      keys,
    })
    const phone = keep(t, await startSipp({ scenario: 'callee-answers-patiently', port, pause: 50 }))
    const call = office.place()
    await call.until('answered')
    await office.pass(30)
    expect(await office.until(call.callId, 'ended')).toMatchObject({
      cause: 'MEDIA_TIMEOUT',
      by: 'service',
      unheard: true,
    })
    await phone.success()
    await soon(() => expect(office.carrier.legs()).toBe(0))
    await office.isAtRest()
  })

  test('that sends sound talks on, and its call is charged', async (t) => {
    const office = await setUp(t)
    keep(t, await startDeskPhone(office))
    const call = office.place()
    await call.until('answered')
    const { call: theirs } = await office.carrier.incoming(call.callId)
    await soon(() => expect(theirs.heard()?.tone).toBeDefined())
    await office.pass(40)
    office.engine.hangUp(call.callId)
    const ended = await office.until(call.callId, 'ended')
    expect(ended).toMatchObject({ cause: 'NORMAL_CLEARING' })
    expect(ended).not.toHaveProperty('unheard')
  })
})
