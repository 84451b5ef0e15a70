/** SIPp as two carriers: when the second is tried in place of the first, and when it is not. */
import { describe, expect, test } from 'vitest'
import { programMissing } from '../../helpers/programs/programs.ts'
import { keep, openEngineSetup, soon, startDeskPhone, type TestScope } from '../engine/engine-setup.ts'
import { startSipp } from '../peers/sipp.ts'

type Played = Parameters<typeof startSipp>[0]

const untilTheTalk = ['ringing', 'extensionAnswered', 'progress', 'answered']

describe.skipIf(programMissing('sipp'))('with two carriers', { concurrent: true }, () => {
  async function setUpTwo(t: TestScope, first: Played) {
    const [one, two] = [
      keep(t, await startSipp(first)),
      keep(t, await startSipp({ scenario: 'callee-answers', pause: 0 })),
    ]
    const trunks = [one, two].map(({ port }, index) => ({
      name: `carrier${index}`,
      address: `sip:127.0.0.1:${port}`,
      priority: index + 1,
      qualifySeconds: 0,
    }))
    const office = keep(t, await openEngineSetup(0, { trunks }))
    const desk = keep(t, await startDeskPhone(office))
    return { ...office, desk, one, two }
  }

  test.for([500, 503])('the second is tried when the first says %i', async (status, t) => {
    const { place, desk, two, isAtRest } = await setUpTwo(t, { scenario: 'callee-refuses', keys: { status } })
    const call = place()
    await call.until('answered')
    desk.hangUp()
    expect(await call.ended()).toMatchObject({ events: [...untilTheTalk, 'ended'], cause: 'NORMAL_CLEARING' })
    await two.success()
    await isAtRest()
  })

  test('the second is tried when the first says nothing for five seconds', async (t) => {
    const { place, desk, pass, one, two } = await setUpTwo(t, { scenario: 'callee-silent', pause: 20_000 })
    const call = place()
    await call.until('extensionAnswered')
    await soon(async () => expect(await one.received('INVITE')).toBeGreaterThan(0))
    await pass(6)
    await call.until('answered')
    desk.hangUp()
    expect(await call.ended()).toMatchObject({ events: [...untilTheTalk, 'ended'], cause: 'NORMAL_CLEARING' })
    await two.success()
  })

  test('the second is not tried while the first carries a call', async (t) => {
    const { place, desk, pass, one, two, isAtRest } = await setUpTwo(t, { scenario: 'callee-answers' })
    const call = place()
    await call.until('answered')
    await pass(10)
    desk.hangUp()
    expect(await call.ended()).toMatchObject({ events: [...untilTheTalk, 'ended'], cause: 'NORMAL_CLEARING' })
    await one.success()
    await isAtRest()
    await two.stop()
    expect((await two.finished).received('INVITE')).toBe(0)
  })

  test('the second is not tried after 100 from the first', async (t) => {
    const { place, pass, one, two, isAtRest } = await setUpTwo(t, { scenario: 'callee-only-trying' })
    const call = place()
    await call.until('extensionAnswered')
    await soon(async () => expect(await one.received('INVITE')).toBe(1))
    await pass(20)
    expect(await call.ended()).toMatchObject({ cause: 'NO_ANSWER', by: 'service' })
    await one.success()
    await isAtRest()
    await two.stop()
    expect((await two.finished).received('INVITE')).toBe(0)
  })

  test('the second is not tried when the number is busy', async (t) => {
    const { place, two, isAtRest } = await setUpTwo(t, { scenario: 'callee-refuses', keys: { status: 486 } })
    expect(await place().ended()).toMatchObject({ cause: 'USER_BUSY' })
    await isAtRest()
    await two.stop()
    expect((await two.finished).received('INVITE')).toBe(0)
  })
})
