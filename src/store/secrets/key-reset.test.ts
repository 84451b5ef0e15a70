/** D243: a secret key that is lost for good. */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { runRamal } from '../../../test/helpers/programs/ramal-process.ts'
import { appCode } from '../../../test/helpers/service/authenticator.ts'
import { createClient } from '../../../test/helpers/service/client.ts'
import { openAccount, password } from '../../../test/helpers/service/people.ts'
import { type Service, startAllRoles, startService } from '../../../test/helpers/service/service.ts'
import { readConfig } from '../../config.ts'
import { createLog } from '../../kit/process/log.ts'
import { createSecretKeys } from './key-files.ts'
import { createKeyReset } from './key-reset.ts'

let service: Service
let admin: Awaited<ReturnType<typeof openAccount>>
let recoveryCode: string

beforeEach(async () => {
  service = await startService()
  admin = await openAccount(service)
  const { api, clock } = service
  const person = { first_name: 'Ana', last_name: 'Souza', email_address: 'ana@padaria.example' }
  await api.post('/extensions', { ...person, ramal: '1000', senha: 'first password' }, admin)
  const { body } = await api.post('/users/me/second-factor', undefined, admin)
  const code = appCode(body.secret, clock.now())
  const enabled = await api.post('/users/me/second-factor/enable', { code }, admin)
  recoveryCode = enabled.body.recoveryCodes[0]
  const metadata = {
    webhookUrl: 'https://user:password@hooks.example.com/x',
    webhookTypes: ['channel-hangup'],
  }
  await api.patch('/integrations', { gateway: 'crm', webhook: true, metadata }, admin)
})
afterEach(() => service.stop())

const keyFile = () => join(service.dataDir, 'secret.key')
const env = () => ({ DATA_DIR: service.dataDir, DATABASE_URL: service.database.url })
const reset = (...more: string[]) => runRamal(['key', 'reset', ...more], env())

/** The service again, on the same database. */
async function startAgain() {
  const config = readConfig({
    ...env(),
    PORT: '0',
    SIP_PORT: '0',
    SIP_WS_PORT: '0',
    CONSOLE: 'off',
    RATE_LIMITS: 'off',
  })
  const app = await startAllRoles(config, { clock: service.clock, log: createLog('silent') })
  return { app, api: createClient(`${app.url}/api/v1`) }
}

test('a start without it is refused; after the reset the service starts, with new secrets in place of those lost', async () => {
  const seen = async (api: Service['api']) => ({
    senha: (await api.get('/extensions', admin)).body[0].senha,
    integration: (await api.get('/integrations', admin)).body[0],
  })
  const before = await seen(service.api)
  const keys = createSecretKeys({ dataDir: service.dataDir })
  const { reset: resetNow } = createKeyReset({ db: service.db, keys, replacements: {} })
  await expect(resetNow(true)).rejects.toThrow('Stop every process of the service first')
  await service.app.stop()
  rmSync(keyFile())
  await expect(startAgain()).rejects.toThrow(/secret key of this database is missing.*`ramal key reset`/s)
  expect(existsSync(keyFile())).toBe(false)

  const shown = await reset()
  expect([shown.code, shown.text]).toEqual([1, expect.stringContaining('Passwords of extensions: 1 lost.')])
  await expect(startAgain()).rejects.toThrow(/not the one this database was sealed with/)
  expect((await reset('--confirm')).code).toBe(0)

  const { app, api } = await startAgain()
  const after = await seen(api)
  expect(after.senha).toMatch(/^\w{20}$/)
  expect(after.integration.secret).toMatch(/^whsec_/)
  expect(after.integration.secret).not.toBe(before.integration.secret)
  const logIn = (code: string) => api.post('/users/login', { email: admin.email, password, code })
  expect((await logIn('123456')).body.error.code).toBe('SECOND_FACTOR_FAILED')
  expect((await logIn(recoveryCode)).status).toBe(200)
  expect((await api.get('/users/me', admin)).status, 'tokens are hashes, and go on').toBe(200)
  await app.stop()
})

test('the key of another database in the data folder is taken as the new one, and nothing changes twice', async () => {
  await service.app.stop()
  const other = 'ab'.repeat(32)
  writeFileSync(keyFile(), `${other}\n`)
  expect((await reset('--confirm')).code).toBe(0)
  expect(readFileSync(keyFile(), 'utf8').trim()).toBe(other)
  expect((await reset('--confirm')).text).toContain('nothing is lost')
})
