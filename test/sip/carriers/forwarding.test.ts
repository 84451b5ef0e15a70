/** D273: a phone that redirects, played by SIPp, and the carrier that its calls then go to. */
import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { programMissing } from '../../helpers/programs/programs.ts'
import { keep, openEngineSetup, soon, startDeskPhone } from '../engine/engine-setup.ts'
import { callRequest, destination, domain, passwordOf } from '../engine/test-host.ts'
import { runSipp, startSipp } from '../peers/sipp.ts'

describe.skipIf(programMissing('sipp'))('a phone that redirects', () => {
  test('is followed to the carrier; the call there is one of its extension', async (t) => {
    const carrier = keep(t, await startSipp({ scenario: 'callee-answers', pause: 50 }))
    const accepted = callRequest({ callId: randomUUID(), destination: { number: destination } })
    const settings = { followsRedirects: true }
    const office = keep(t, await openEngineSetup(carrier.port, { settings, admit: () => accepted }))
    const desk = keep(t, await startDeskPhone(office))
    const colleague = {
      remote: `127.0.0.1:${office.port}`,
      username: '1001',
      password: passwordOf('1001'),
      keys: { extension: '1001', caller: '1001', elsewhere: '48999998888@192.0.2.7' },
    }
    const { port } = await runSipp({ ...colleague, scenario: 'phone-registers' })
    const redirecting = keep(t, await startSipp({ ...colleague, scenario: 'callee-redirects', port }))

    const call = office.place({ destination: { extension: { domain, number: '1001' } } })
    await call.until('answered')
    await office.until(accepted.callId, 'answered')
    await redirecting.success()
    expect(office.incomingCalls).toEqual([
      { from: { extension: { domain, number: '1001' } }, dialled: '48999998888' },
    ])
    expect(office.engine.liveCalls().toSorted()).toEqual([call.callId, accepted.callId].toSorted())
    await soon(() => expect(desk.heard()?.tone?.hertz).toBe(1000))
    office.engine.hangUp(accepted.callId, 'ALLOTTED_TIMEOUT')
    expect(await call.ended()).toMatchObject({ cause: 'ALLOTTED_TIMEOUT' })
    expect(await office.until(accepted.callId, 'ended')).toMatchObject({ cause: 'ALLOTTED_TIMEOUT' })
    await carrier.success()
    await office.isAtRest()
  })
})
