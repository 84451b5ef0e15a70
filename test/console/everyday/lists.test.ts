/** Long lists: searched and paged. */
import { describe, expect, test } from 'vitest'
import { auditWords } from '../../../console/pages/audit/words.ts'
import { extensionWords } from '../../../console/pages/extensions/words.ts'
import { userWords } from '../../../console/pages/users/words.ts'
import { programMissing } from '../../helpers/programs/programs.ts'
import { expectAccessible } from '../console-browser.ts'
import { useDesk, signInWords as words } from './setting.ts'

describe.skipIf(programMissing('chromium'))('a long list', () => {
  const desk = useDesk()

  test('D670: users are searched by name without accents, 25 a page', async () => {
    const { page } = await desk.openAccount()
    const person = {
      phone: '48999998888',
      role: 'USER',
      emailVerified: true,
      invited: false,
      lastLoginAt: null,
    }
    const users = Array.from({ length: 501 }, (_, index) => ({
      ...person,
      uuid: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
      name: index === 400 ? 'Conceição Lima' : `Pessoa ${index}`,
      email: `pessoa${index}@padaria.example`,
    }))
    await page.route('**/api/v1/users', (route) => route.fulfill({ json: users }))
    await page.goto('/console/users')
    const rows = page.locator('tbody tr')
    await expect.poll(() => rows.count()).toBe(25)
    await page.getByRole('button', { name: words.next }).click()
    await page.getByText('Pessoa 49', { exact: true }).waitFor()
    await page.getByLabel(userWords.pt.search).fill('conceicao')
    await expect.poll(() => rows.count()).toBe(1)
    await expectAccessible(page, 'searched users')
    await page.getByLabel(userWords.pt.search).fill('nobody')
    await page.getByText(words.nothingFound).waitFor()
  })

  test('a dialog over searched extensions leaves the search as it is', async () => {
    const { admin, page } = await desk.openAccount()
    const person = { senha: 's3nha-do-ramal', last_name: 'Souza' }
    for (let number = 1000; number < 1012; number += 1) {
      const extension = { ...person, ramal: String(number), first_name: `Ana ${number}` }
      const body = { ...extension, email_address: `a${number}@padaria.example` }
      expect((await desk.service().api.post('/extensions', body, admin)).status).toBe(200)
    }
    await page.goto('/console/extensions')
    await page.getByLabel(extensionWords.pt.search).fill('1007')
    await expect.poll(() => page.locator('tbody tr').count()).toBe(1)
    await page.getByRole('button', { name: `${words.edit} 1007` }).click()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await page.locator('tbody tr').count()).toBe(1)
  })

  test('the audit is searched by person and action', async () => {
    const { admin, page } = await desk.openAccount()
    await page.goto('/console/audit')
    await page.locator('tbody tr').first().waitFor()
    await page.getByLabel(auditWords.pt.whoSearch).fill('nobody@')
    await page.getByRole('heading', { name: auditWords.pt.empty }).waitFor()
    await page.getByLabel(auditWords.pt.whoSearch).fill(admin.email)
    await page.getByLabel(auditWords.pt.what).selectOption('session.started')
    await expect.poll(() => page.locator('tbody tr').count()).toBe(1)
    await expectAccessible(page, 'searched audit')
  })
})
