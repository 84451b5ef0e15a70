/** D280: keys between a baresip with telephone events and an Asterisk that knows only tones in the sound. */
import { describe, expect, test } from 'vitest'
import { programMissing } from '../../helpers/programs/programs.ts'
import { keep } from '../engine/engine-setup.ts'
import { callRequest, destination, openTestHost } from '../engine/test-host.ts'
import { asteriskMissing, startAsterisk } from '../peers/asterisk.ts'
import { carrierHertz, phoneHertz, pickUp, startPhone } from '../worlds/two-baresips.ts'

describe.skipIf(programMissing('baresip') || asteriskMissing())('in-band keys', () => {
  test('reach the phone as events, and events and keys of the API reach the carrier as tones', async (context) => {
    const acts = { [destination]: { presses: '42', hertz: carrierHertz, records: true } }
    const asterisk = keep(context, await startAsterisk({ acts, settings: { dtmf_mode: 'inband' } }))
    const trunk = { name: 'carrier', address: `sip:127.0.0.1:${asterisk.port}`, qualifySeconds: 0 }
    const testHost = keep(context, await openTestHost({ trunks: [trunk] }))
    const phone = keep(context, await startPhone(testHost.server, '1000', { hertz: phoneHertz }))
    await testHost.registered('1000')
    const request = callRequest()
    testHost.engine.place(request)
    await pickUp(phone)
    const pressed = () =>
      phone.events.map(({ type, param }) => (type === 'CALL_DTMF_START' ? param : '')).join('')
    await expect.poll(pressed).toBe('42')
    await phone.press('8')
    await asterisk.until(({ Event, Digit }) => Event === 'DTMFEnd' && Digit === '8')
    expect(testHost.engine.pressKeys(request.callId, 'other', '6')).toBe(true)
    await asterisk.until(({ Event, Digit }) => Event === 'DTMFEnd' && Digit === '6')
    await phone.hangUp()
    const end = await testHost.until(request.callId, 'ended')
    expect('keys' in end && end.keys?.map(({ from, key }) => `${from} ${key}`)).toEqual([
      'other 4',
      'other 2',
      'extension 8',
      'service 6',
    ])
  })
})
