/** D423: what a phone was answered is what the API shows. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openAccount } from '../../helpers/service/people.ts'
import { type Service, startService } from '../../helpers/service/service.ts'
import { forgetPhones } from '../../helpers/stored/fleet-rows.ts'
import { openRawPhone } from '../../security/sip/raw-phone.ts'
import { keep } from '../../sip/engine/engine-setup.ts'

const senha = 's3nha-do-ramal'
let service: Service

beforeAll(async () => {
  const settings = { SIP_PORT: '0', SIP_WS_PORT: '0', RTP_PORTS: '25000-25999' }
  service = await startService(settings, { engine: undefined })
})
afterAll(() => service.stop())

test('an extension is registered as soon as its phone has the 200, though its row was lost, and is not as soon as it has left', async (t) => {
  const account = await openAccount(service)
  const addresses = await (await fetch(`${service.url}/addresses`)).text()
  const port = Number(/"SIP":\s*"[^"]*:(\d+)/.exec(addresses)?.[1])
  const isRegistered = async (ramal: string) => {
    const { body } = await service.api.get(`/extensions?filter={"where":{"ramal":"${ramal}"}}`, account)
    return (Array.isArray(body) ? body : body.data)[0].registered
  }
  for (const ramal of ['1000', '1001', '1002', '1003', '1004']) {
    const person = { first_name: 'Ana', last_name: 'Souza', email_address: account.email }
    expect((await service.api.post('/extensions', { ramal, senha, ...person }, account)).status).toBe(200)
    const phone = keep(
      t,
      await openRawPhone(port, { number: ramal, password: senha, domain: account.domain }),
    )
    const uri = `sip:${account.domain}`
    const callId = `phone-${ramal}`
    const register = (expires: number) =>
      phone.ask({ method: 'REGISTER', uri, callId, headers: [`Expires: ${expires}`] })
    expect(await register(3600)).toMatch(/^SIP\/2\.0 200 /)
    expect(await isRegistered(ramal)).toBe(true)
    await forgetPhones(service.db)
    service.clock.advance(40)
    expect(await register(3600)).toMatch(/^SIP\/2\.0 200 /)
    expect(await isRegistered(ramal)).toBe(true)
    expect(await register(0)).toMatch(/^SIP\/2\.0 200 /)
    expect(await isRegistered(ramal)).toBe(false)
  }
})
