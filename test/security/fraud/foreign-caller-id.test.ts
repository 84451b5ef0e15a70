/** A fresh sign-up enters a number of somebody else as its caller-ID: to present it, and to get the calls to it. */
import { beforeAll, expect, test } from 'vitest'
import { freePort } from '../../helpers/programs/free-port.ts'
import { assignNumber } from '../../helpers/service/operator.ts'
import { openAccount } from '../../helpers/service/people.ts'
import { type Service, startService } from '../../helpers/service/service.ts'
import { keep, type TestScope } from '../../sip/engine/engine-setup.ts'
import { openStranger } from '../../sip/peers/stranger.ts'
import { openRawPhone, sdpOf } from '../sip/raw-phone.ts'

const victim = '551140042000'
const ours = '551130001000'

let service: Service
let sipPort: number
let carrier: Awaited<ReturnType<typeof openStranger>>

beforeAll(async () => {
  sipPort = await freePort()
  carrier = await openStranger(sipPort)
  carrier.onHeard((text) => {
    if (text.startsWith('INVITE ')) carrier.send(busy(text))
  })
  const trunk = { name: 'main', address: `sip:127.0.0.1:${carrier.port}`, qualifySeconds: 0, callerId: ours }
  const settings = { SIP_PORT: `${sipPort}`, SIP_WS_PORT: '0', TRUNKS: JSON.stringify([trunk]) }
  service = await startService(settings, { engine: undefined })
  return async () => {
    await service.stop()
    await carrier.stop()
  }
})

/** The dialog-forming headers of the request, and a To with a tag. */
function busy(invite: string): string {
  const kept = invite.split('\r\n').filter((line) => /^(?:Via|From|Call-ID|CSeq):/.test(line))
  const to = /^To: .*$/m.exec(invite)?.[0].trim()
  return ['SIP/2.0 486 Busy Here', ...kept, `${to};tag=carrier`, 'Content-Length: 0', '', ''].join('\r\n')
}

async function openOffice(t: TestScope, bina: string) {
  const account = await openAccount(service)
  const password = 'senha-do-ramal'
  const person = { first_name: 'Eva', last_name: 'Lima', email_address: account.email }
  const { status, body } = await service.api.post(
    '/extensions',
    { ...person, ramal: '1000', senha: password, bina },
    account,
  )
  const phone = keep(t, await openRawPhone(sipPort, { password, domain: account.domain }))
  await phone.register()
  return { ...account, status, extension: body, phone }
}

async function invitedBy({ phone }: Awaited<ReturnType<typeof openOffice>>): Promise<string> {
  const after = carrier.heard.length
  expect((await phone.dial('11999990000')).response).toMatch(/^SIP\/2\.0 486/)
  return await carrier.until((text) => text.startsWith('INVITE '), { after })
}

const callTo = (number: string) =>
  carrier.ask({
    method: 'INVITE',
    uri: `sip:${number}@127.0.0.1`,
    to: `<sip:${number}@127.0.0.1>`,
    headers: ['Content-Type: application/sdp'],
    body: sdpOf('127.0.0.1', 40_000),
  })

test('D187: the carrier receives the number of the trunk, not the one that was only entered', async (t) => {
  const thief = await openOffice(t, `+${victim}`)
  expect([thief.status, thief.extension]).toMatchObject([200, { bina: `+${victim}`, bina_verified: false }])
  const invite = await invitedBy(thief)
  expect(invite).not.toContain(victim)
  expect(invite).toMatch(new RegExp(`^From: .*sip:${ours}@`, 'm'))
  expect(invite).toMatch(new RegExp(`^P-Asserted-Identity: .*sip:${ours}@`, 'm'))
})

test('D113: a call to a number that a stranger claimed first rings nobody, then only its owner', async (t) => {
  const number = '551140043000'
  const thief = await openOffice(t, `+${number}`)
  const owner = await openOffice(t, `+${number}`)
  const ringing = { thief: 0, owner: 0 }
  for (const [name, { phone }] of Object.entries({ thief, owner })) {
    phone.onHeard((text) => {
      if (!text.startsWith('INVITE ')) return
      ringing[name as keyof typeof ringing] += 1
      phone.send(busy(text))
    })
  }
  expect(await callTo(number)).toMatch(/^SIP\/2\.0 404/)
  await assignNumber(service, number, owner.domain)
  expect(await callTo(number)).toMatch(/^SIP\/2\.0 486/)
  expect(ringing).toEqual({ thief: 0, owner: 1 })
  expect(await invitedBy(owner)).toMatch(new RegExp(`^From: .*sip:${number}@`, 'm'))
  expect(await invitedBy(thief)).not.toContain(number)
})
