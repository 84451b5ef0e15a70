/** Rights in the console: a token has those that are ticked (D204, D491), a removed user none (D490). */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { actionWords } from '../../console/pages/audit/action-words.ts'
import { auditWords } from '../../console/pages/audit/words.ts'
import { tokenWords } from '../../console/pages/tokens/words.ts'
import { userWords } from '../../console/pages/users/words.ts'
import { shellWords } from '../../console/shell/words.ts'
import { commonWords } from '../../console/words/common.ts'
import { scopeWords } from '../../console/words/scopes.ts'
import { systemClock } from '../../src/kit/clock.ts'
import { programMissing } from '../helpers/programs/programs.ts'
import { addUser, openAccount, password } from '../helpers/service/people.ts'
import { type Service, startService } from '../helpers/service/service.ts'
import { expectAccessible, openConsole, startChromium, typePassword } from './console-browser.ts'

const senha = 's3nha-do-ramal'
const common = commonWords.en

describe.skipIf(programMissing('chromium'))('rights in the console', () => {
  let service: Service
  let browser: Browser
  let admin: Awaited<ReturnType<typeof openAccount>>
  let page: Page

  beforeAll(async () => {
    service = await startService({ CONSOLE: 'on' }, { clock: systemClock })
    await service.app.consoleBuild?.finished
    browser = await startChromium()
    admin = await openAccount(service)
  })
  afterAll(async () => {
    await browser?.close()
    await service?.stop()
  })

  const press = (name: string) => page.getByRole('button', { name, exact: true }).first().click()

  /** Signed in, at a page. */
  async function open(path: string, title: string) {
    const look = { locale: 'en-GB', colorScheme: 'light', width: 1280 } as const
    const { context, page: opened, errors } = await openConsole(browser, service.url, look)
    onTestFinished(() => context.close())
    page = opened
    await page.goto(`/console${path}`)
    await typePassword(page, { ...common, ...shellWords.en }, password, admin.email)
    await page.getByRole('heading', { level: 1, name: title }).waitFor()
    return errors
  }

  test('a token without any tick is not made, and one that is made has the rights that are ticked', async () => {
    const words = tokenWords.en
    await open('/tokens', words.title)
    await press(words.create)
    await page.getByLabel(common.name).fill('CRM')
    await page.getByLabel(common.currentPassword).fill(password)
    await page.getByLabel(words.everything).uncheck()
    await press(words.make)
    await page.getByText(words.chooseRight).waitFor()
    await expectAccessible(page, 'a token without rights')
    const made = async () =>
      (await service.api.get('/users/accessTokens', admin)).body.filter(
        ({ name }: { name: string }) => name === 'CRM',
      )
    expect(await made()).toEqual([])
    await page.getByLabel(scopeWords.en['calls:read']).check()
    await press(words.make)
    await page.getByText(words.shownOnce).waitFor()
    expect(await made()).toMatchObject([{ scopes: ['calls:read'] }])
  })

  test('who signs out sees the page to sign in, also if a page is rendered in that moment', async () => {
    const errors = await open('/tokens', tokenWords.en.title)
    // Between two tasks of the browser: the path changes, and all that depends on it is rendered.
    await page.evaluate(`{
      const { port1, port2 } = new MessageChannel()
      const paths = ['/console/profile', '/console/tokens']
      let turns = 0
      port1.onmessage = () => {
        history.replaceState(null, '', paths[turns++ % 2])
        if (turns < 20_000 && document.querySelector('nav')) port2.postMessage(null)
      }
      port2.postMessage(null)
    }`)
    await press(shellWords.en.signOut)
    await page.getByLabel(common.email).waitFor({ timeout: 10_000 })
    expect(errors).toEqual([])
  })

  test('who removes a user changes the senha of their extensions, unless they untick it', async () => {
    const words = userWords.en
    const [leaver, deskUser] = [await addUser(service, admin), await addUser(service, admin)]
    const addExtension = async (ramal: string, email: string) => {
      const person = { first_name: 'Bia', last_name: 'Lima', email_address: email }
      return (await service.api.post('/extensions', { ramal, senha, ...person }, admin)).body.id
    }
    const ids = [await addExtension('1000', leaver.email), await addExtension('1001', deskUser.email)]
    const senhas = async () =>
      await Promise.all(ids.map(async (id) => (await service.api.get(`/extensions/${id}`, admin)).body.senha))
    await open('/users', words.title)
    await press(`${common.remove} ${leaver.name}`)
    await page.getByLabel(words.newSenha('1000')).waitFor()
    await expectAccessible(page, 'removing a user')
    await press(common.remove)
    await page.getByText(words.removed).first().waitFor()
    expect(await senhas()).toEqual([expect.not.stringMatching(senha), senha])
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await press(`${common.remove} ${deskUser.name}`)
    await page.getByLabel(words.newSenha('1001')).uncheck()
    await press(common.remove)
    await page
      .getByRole('button', { name: `${common.remove} ${deskUser.name}` })
      .waitFor({ state: 'detached' })
    expect((await senhas())[1]).toBe(senha)
  })

  test('credentials of browser phones are in the audit log, and shown when they are asked for', async () => {
    const words = auditWords.en
    const person = { first_name: 'Ana', last_name: 'Lima', email_address: admin.email }
    const { body } = await service.api.post('/extensions', { ramal: '1002', senha, ...person }, admin)
    await service.api.post(`/extensions/${body.id}/phone-credential`, undefined, admin)
    await open('/audit', words.title)
    const log = page.getByRole('table')
    await log.getByText(actionWords.en['extension.created']).first().waitFor()
    const issued = log.getByText(actionWords.en['extension.credential-issued']).first()
    expect(await issued.isVisible()).toBe(false)
    await page.getByLabel(words.credentials).check()
    await issued.waitFor()
    await expectAccessible(page, 'audit log')
  })
})
