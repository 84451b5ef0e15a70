/** The operator looks at an account as one of its users sees it (D647). */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { accountWords } from '../../console/operator/account/words.ts'
import { lookInWords } from '../../console/shell/look-in-words.ts'
import { programMissing } from '../helpers/programs/programs.ts'
import { createClient, fetchAsOperator } from '../helpers/service/client.ts'
import { pix } from '../helpers/service/money.ts'
import { addUser, mailsTo, openAccount } from '../helpers/service/people.ts'
import { type Service, startService } from '../helpers/service/service.ts'
import { expectAccessible, openConsole, startChromium } from './console-browser.ts'

let service: Service

beforeAll(async () => {
  service = await startService({ CONSOLE: 'on' })
  await service.app.consoleBuild?.finished
})
afterAll(() => service?.stop())

type Account = Awaited<ReturnType<typeof openAccount>>

const operator = () =>
  createClient(`${service.url}/operator/api`, fetchAsOperator(service.app.operatorToken?.token ?? ''))

const ownUuid = async (account: Account) => (await service.api.get('/users/me', account)).body.uuid as string

async function lookIn(account: Account, user: string) {
  const wanted = { user, reason: 'Ticket 4711: no sound' }
  const { status, body, headers } = await operator().post(`/accounts/${account.domain}/look-in`, wanted)
  expect(status).toBe(200)
  const [cookie = ''] = (headers.get('set-cookie') ?? '').split(';')
  /** As the operator's browser sends it. */
  return { body, session: { headers: { cookie, 'sec-fetch-site': 'same-origin' } } }
}

const newExtension = {
  ramal: '1000',
  senha: 'a-long-sip-password-1',
  first_name: 'Ana',
  last_name: 'Souza',
  email_address: 'ana@clinica.example',
}

test('reads what the user sees, without passwords and secrets', async () => {
  const account = await openAccount(service)
  await service.api.post('/extensions', newExtension, account)
  expect((await service.api.patch('/integrations', { gateway: 'crm' }, account)).status).toBeLessThan(300)
  const { body, session } = await lookIn(account, await ownUuid(account))
  expect(body).toMatchObject({ domain: account.domain, user: account.email })
  const described = (await service.api.get('/console/session', session)).body
  expect(described).toMatchObject({
    user: { email: account.email },
    session: { expires: body.until },
    lookIn: { reason: 'Ticket 4711: no sound', until: body.until },
    features: { webPhone: null },
  })
  const [extension] = (await service.api.get('/extensions', session)).body
  expect(extension).toMatchObject({ ramal: '1000', senha: null })
  expect((await service.api.get(`/extensions/${extension.id}/setup`, session)).status).toBe(403)
  const integrations = (await service.api.get('/integrations', session)).body
  expect(integrations.map(({ secret }: { secret: string }) => secret)).toEqual(['***'])
})

test('changes nothing: every route but GET and the end of the session is refused', async () => {
  const account = await openAccount(service)
  const { session } = await lookIn(account, await ownUuid(account))
  const call = { extension: '1000', called: '5548999998888' }
  const { api } = service
  const refused = await Promise.all([
    api.post('/calls', call, session),
    api.patch('/users', { name: 'Somebody else' }, session),
    api.post('/users/accessTokens', { ttl: 60 }, session),
    api.delete('/users/accessTokens', session),
    api.post('/charges', pix, session),
  ])
  expect(refused.map(({ status, body }) => `${status} ${body.error.code}`)).toEqual(
    Array(5).fill('403 READ_ONLY_SESSION'),
  )
})

test('the account sees it in its audit log, among its sessions and by mail', async () => {
  const account = await openAccount(service)
  const user = await addUser(service, account)
  const { session } = await lookIn(account, user.uuid)
  const { data } = (await service.api.get('/accounts/audit?page=1', account)).body
  expect(data[0]).toMatchObject({
    action: 'account.looked-in',
    actor: null,
    subject: user.email,
    details: { reason: 'Ticket 4711: no sound' },
  })
  const [mail] = await mailsTo(service, account.email)
  expect(mail?.subject).toBe('O operador consulta sua conta · The operator looks at your account')
  expect(mail?.text).toContain('Ticket 4711: no sound')
  const sessions = (await service.api.get(`/users/accessTokens?user=${user.uuid}`, account)).body
  const { ref } = sessions.find(({ name }: { name?: string }) => name === 'Operator, read only')
  expect((await service.api.delete(`/users/accessTokens/${ref}`, account)).status).toBe(200)
  expect((await service.api.get('/users/me', session)).status).toBe(401)
})

test('it ends after half an hour, however much it is used', async () => {
  const account = await openAccount(service)
  const { session } = await lookIn(account, await ownUuid(account))
  service.clock.advance(29 * 60)
  expect((await service.api.get('/users/me', session)).status).toBe(200)
  await service.tick('last use of tokens')
  service.clock.advance(61)
  expect((await service.api.get('/users/me', session)).status).toBe(401)
})

test('the operator ends it, and the log of the account has that too', async () => {
  const account = await openAccount(service)
  const { session } = await lookIn(account, await ownUuid(account))
  expect((await service.api.delete('/console/session', session)).status).toBe(200)
  expect((await service.api.get('/users/me', session)).status).toBe(401)
  const { data } = (await service.api.get('/accounts/audit?page=1', account)).body
  expect(data[0]).toMatchObject({ action: 'account.look-in-ended', actor: null })
})

test('works on a suspended account, which nobody else can use', async () => {
  const account = await openAccount(service)
  const uuid = await ownUuid(account)
  await operator().post(`/accounts/${account.domain}/suspend`, { reason: 'Fraud' })
  const { session } = await lookIn(account, uuid)
  expect((await service.api.get('/calls?page=1', session)).status).toBe(200)
  expect((await service.api.get('/users/me', account)).body.error.code).toBe('ACCOUNT_SUSPENDED')
})

test('refuses accounts and users that are not there, and a look without a reason', async () => {
  const [account, other] = [await openAccount(service), await openAccount(service)]
  const reason = 'Ticket 4711'
  const user = await ownUuid(account)
  const path = `/accounts/${account.domain}/look-in`
  expect((await operator().post('/accounts/nobody.example/look-in', { user, reason })).status).toBe(404)
  expect((await operator().post(path, { user: await ownUuid(other), reason })).body.error.code).toBe(
    'USER_NOT_FOUND',
  )
  expect((await operator().post(path, { user })).status).toBe(422)
  expect((await operator().post(path, { user: 'ana', reason })).status).toBe(422)
})

describe.skipIf(programMissing('chromium'))('in a browser', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await startChromium()
  })
  afterAll(() => browser?.close())

  test.each([
    { language: 'pt', locale: 'pt-BR', width: 1280, theme: 'light' },
    { language: 'en', locale: 'en-GB', width: 360, theme: 'dark' },
  ] as const)('the operator looks in and goes back by keyboard ($language, $width px)', async (story) => {
    const { language, locale, width, theme } = story
    const account = await openAccount(service)
    const words = accountWords[language]
    const { context, page, errors } = await openConsole(browser, service.url, {
      locale,
      colorScheme: theme,
      width,
    })
    onTestFinished(() => context.close())
    await page.goto(`/operator?token=${service.app.operatorToken?.token}`)
    await page.goto(`/operator/accounts/${account.domain}`)
    await page.getByRole('button', { name: words.lookInAs(account.email) }).focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel(words.reason).focus()
    await page.keyboard.type('Ticket 4711: no sound')
    await expectAccessible(page, 'look in')
    await page.keyboard.press('Enter')
    const end = page.getByRole('button', { name: lookInWords[language].end })
    await end.waitFor()
    await page.getByRole('heading', { level: 1 }).waitFor()
    await expectAccessible(page, 'looked in')
    await end.focus()
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/operator/accounts/${account.domain}`)
    await page.getByRole('heading', { level: 1, name: account.organization_name }).waitFor()
    expect(errors).toEqual([])
  })
})
