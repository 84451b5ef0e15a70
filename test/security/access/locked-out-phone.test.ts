/** A stranger guesses at the password of an extension on purpose, to keep its phone out (D181). */
import { beforeAll, expect, test } from 'vitest'
import { freePort } from '../../helpers/programs/free-port.ts'
import { openAccount } from '../../helpers/service/people.ts'
import { type Service, startService } from '../../helpers/service/service.ts'
import { openRawPhone } from '../sip/raw-phone.ts'

const senha = 'senha-do-ramal'

let service: Service
let sipPort: number
beforeAll(async () => {
  sipPort = await freePort()
  service = await startService({ SIP_PORT: `${sipPort}`, SIP_WS_PORT: '0' }, { engine: undefined })
  return () => service.stop()
})

type Login = { username?: string; password?: string; seconds?: number }

async function openExtension() {
  const account = await openAccount(service)
  const person = { first_name: 'Eva', last_name: 'Lima', email_address: account.email }
  const { body } = await service.api.post('/extensions', { ...person, ramal: '1000', senha }, account)
  const path = `/extensions/${body.id}`

  /** The status of the answer to a phone at this address. */
  async function register(address: string, { password = senha, seconds, ...login }: Login = {}) {
    const phone = await openRawPhone(sipPort, { address, password, domain: account.domain, ...login })
    const answer = await phone.register(seconds)
    await phone.stop()
    return Number(answer.split(' ', 2)[1])
  }
  return {
    register,
    async lockOut() {
      const guesses = Array.from({ length: 36 }, (_, n) =>
        register(`127.0.1.${1 + (n % 4)}`, { password: `guess ${n}` }),
      )
      expect(new Set(await Promise.all(guesses))).toEqual(new Set([401]))
    },
    browserCredential: async () => (await service.api.post(`${path}/phone-credential`, {}, account)).body,
    setPassword: async (wanted: string) =>
      (await service.api.patch('/extensions', { id: body.id, senha: wanted }, account)).status,
  }
}

test('D181: guesses do not keep out the phone of a browser, nor one with a new password', async () => {
  const { register, lockOut, browserCredential, setPassword } = await openExtension()
  await lockOut()
  expect(await register('127.0.2.1')).toBe(401)
  const { username, password } = await browserCredential()
  expect(await register('127.0.2.2', { username, password })).toBe(200)
  expect(await setPassword('uma-senha-nova')).toBe(200)
  expect(await register('127.0.2.3', { password: 'uma-senha-nova' })).toBe(200)
})

test('D181: after a restart too, guesses do not keep a phone out at an address where it was before', async () => {
  const { register, lockOut } = await openExtension()
  expect(await register('127.0.0.21')).toBe(200)
  expect(await register('127.0.0.21', { seconds: 0 })).toBe(200)
  const stored = () => service.db.selectFrom('phone_addresses').select('blocks').execute()
  await expect.poll(stored).toContainEqual({ blocks: ['127.0.0.21'] })
  await service.restart(async () => {})
  await lockOut()
  expect(await register('127.0.2.1')).toBe(401)
  expect(await register('127.0.0.21')).toBe(200)
})
