/** Phones with encrypted sound: baresip with SDES over TLS, and with DTLS. */
import { describe, expect, test } from 'vitest'
import type { EmbeddedSettings } from '../../../src/engine/embedded/settings.ts'
import type { AcceptedCall } from '../../../src/engine/port.ts'
import { programMissing } from '../../helpers/programs/programs.ts'
import { keep, type TestScope } from '../engine/engine-setup.ts'
import { callRequest, destination, openTestHost } from '../engine/test-host.ts'
import { type Baresip, startBaresip } from '../peers/baresip.ts'
import { writeTlsFiles } from '../peers/tls-files.ts'
import { writeSound } from '../worlds/sound-files.ts'
import { checkRecording, expectTone } from '../worlds/tone-checks.ts'
import { bothTones, carrierHertz, phoneHertz, pickUp, startPhone } from '../worlds/two-baresips.ts'

type Phone = { transport: 'udp' | 'tls'; encryption?: 'srtp-mand' | 'dtls_srtp' }

async function setUp(t: TestScope, phone: Phone, more: Partial<EmbeddedSettings> = {}) {
  const accepted: AcceptedCall = callRequest({ record: true })
  const carrier = keep(
    t,
    await startBaresip({ domain: 'carrier.test', extension: destination, hertz: carrierHertz }),
  )
  const { cert, key } = keep(t, await writeTlsFiles())
  const testHost = keep(
    t,
    await openTestHost({
      settings: { tlsPort: 0, tlsFiles: { cert, key }, ...more },
      trunks: [{ name: 'carrier', address: `sip:127.0.0.1:${carrier.port}`, qualifySeconds: 0 }],
      admit: () => accepted,
    }),
  )
  const { udp, tls } = testHost.engine.ports()
  const server = `127.0.0.1:${phone.transport === 'tls' ? tls : udp}`
  const desk = keep(t, await startPhone(server, '1000', { ...phone, hertz: phoneHertz }))
  await testHost.registered('1000')
  return { testHost, carrier, desk, accepted }
}

async function talkAndHangUp({ testHost, carrier, desk }: Awaited<ReturnType<typeof setUp>>, callId: string) {
  await expectTone(desk.heard, carrierHertz)
  await expectTone(carrier.heard, phoneHertz)
  await desk.hangUp()
  await testHost.until(callId, 'ended')
  await checkRecording({ calls: testHost.calls, callId }, bothTones)
}

/** The last call ended without having been answered. */
async function refusal(phone: Baresip): Promise<string> {
  return (await phone.closed()).param ?? ''
}

describe.skipIf(programMissing('baresip'))('a phone with encrypted sound', () => {
  const rung: [string, Phone][] = [
    ['over TLS and with SRTP is offered it', { transport: 'tls', encryption: 'srtp-mand' }],
    ['over TLS and without SRTP is offered plain RTP after it has refused', { transport: 'tls' }],
    ['over TLS and with DTLS alone is offered it beside SRTP', { transport: 'tls', encryption: 'dtls_srtp' }],
    [
      'over UDP and with DTLS alone is offered it after it has refused plain RTP',
      { transport: 'udp', encryption: 'dtls_srtp' },
    ],
  ]
  test.for(rung)('D236: a phone %s, talks and is recorded', async ([, phone], t) => {
    const world = await setUp(t, phone)
    const request = callRequest({ record: true })
    world.testHost.engine.place(request)
    await pickUp(world.desk)
    await pickUp(world.carrier)
    await talkAndHangUp(world, request.callId)
  })

  test('over TLS dials with SRTP, talks, is held with music (D269) and is recorded', async (t) => {
    const { path: holdMusic } = await writeSound(t, 'music.wav', 650)
    const world = await setUp(t, { transport: 'tls', encryption: 'srtp-mand' }, { holdMusic })
    await world.desk.dial('48999998888')
    await pickUp(world.carrier)
    await expectTone(world.desk.heard, carrierHertz)
    // Its recording ends at the first hold.
    await expectTone(world.carrier.heard, phoneHertz)
    await world.carrier.hold()
    await expectTone(world.desk.heard, 650, 0.4)
    await world.carrier.resume()
    await talkAndHangUp(world, world.accepted.callId)
  })

  test('dials with DTLS, has keys for RTP and for RTCP, talks and is recorded', async (t) => {
    const world = await setUp(t, { transport: 'udp', encryption: 'dtls_srtp' })
    await world.desk.dial('48999998888')
    await pickUp(world.carrier)
    for (const stream of ['RTP', 'RTCP'])
      await expect.poll(world.desk.said).toContain(`DTLS-SRTP complete (audio/${stream})`)
    await talkAndHangUp(world, world.accepted.callId)
  })

  test('D237: keys of SRTP over UDP are refused, unless the operator allows them', async (t) => {
    const { desk } = await setUp(t, { transport: 'udp', encryption: 'srtp-mand' })
    await desk.dial('48999998888')
    expect(await refusal(desk)).toContain('488')
    const allowed = await setUp(t, { transport: 'udp', encryption: 'srtp-mand' }, { srtpWithoutTls: true })
    await allowed.desk.dial('48999998888')
    await pickUp(allowed.carrier)
    await talkAndHangUp(allowed, allowed.accepted.callId)
  })
})
