/** D282: a baresip at extension 1000 transfers a call with the carrier to extension 1001 by REFER. */
import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { AcceptedCall } from '../../src/engine/port.ts'
import { programMissing } from '../helpers/programs.ts'
import { keep } from './engine-setup.ts'
import { callRequest, domain } from './test-host.ts'
import { expectTone } from './worlds/tone-checks.ts'
import { carrierHertz, openTwo, pickUp, startPhone } from './worlds/two-baresips.ts'

const colleagueHertz = 700

// Sound is compared in real time: on a machine that pauses, other programs miss their moment.
describe.skipIf(programMissing('baresip'))('a phone that transfers', { retry: 2 }, () => {
  test('leaves; the other two hear each other, and the end of one ends both calls', async (context) => {
    const second: AcceptedCall = {
      callId: randomUUID(),
      destination: { extension: { domain, number: '1001' } },
      presented: undefined,
      record: false,
      limits: { ring: 20, answer: 20, talk: 60 },
    }
    const { testHost, phone, carrier } = keep(context, await openTwo({ accepted: second }))
    const colleague = keep(context, await startPhone(testHost.server, '1001', { hertz: colleagueHertz }))
    await testHost.registered('1001')
    const request = callRequest({ record: true })
    testHost.engine.place(request)
    await pickUp(phone)
    await pickUp(carrier)
    await testHost.until(request.callId, 'answered')
    await phone.transfer(`sip:1001@${domain}`)
    await pickUp(colleague)
    await testHost.until(request.callId, 'transferred')
    await phone.closed()
    expect(testHost.incomingCalls).toEqual([
      { from: { extension: { domain, number: '1000' } }, dialled: '1001', transferOf: request.callId },
    ])
    await expectTone(colleague.heard, carrierHertz)
    await expectTone(carrier.heard, colleagueHertz)
    await colleague.hangUp()
    const [first, last] = await Promise.all([
      testHost.until(request.callId, 'ended'),
      testHost.until(second.callId, 'ended'),
    ])
    expect([first, last]).toMatchObject([{ cause: 'NORMAL_CLEARING' }, { cause: 'NORMAL_CLEARING' }])
    expect('recording' in first && first.recording?.seconds).toBeGreaterThan(0.5)
    expect(testHost.engine.liveCalls()).toEqual([])
  })
})
