/** D592, D594: results of calls in the history, in the reports and on the page of a call. */
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { callPageWords } from '../../../console/pages/calls/words.ts'
import { reportWords } from '../../../console/pages/reports/words.ts'
import { resultWords } from '../../../console/words/results.ts'
import { programMissing } from '../../helpers/programs/programs.ts'
import { accountIdOf, insertCalls } from '../../helpers/service/call-rows.ts'
import { addUser } from '../../helpers/service/people.ts'
import { expectAccessible } from '../console-browser.ts'
import { useDesk } from './setting.ts'

const words = callPageWords.pt
const results = resultWords.pt

describe.skipIf(programMissing('chromium'))('results of calls', () => {
  const desk = useDesk()
  const shown = (page: Page) => page.locator('tbody tr').count()

  /** Two calls of today, the second of a user. */
  async function open() {
    const { admin, page } = await desk.openAccount()
    const { db } = desk.service()
    const user = await addUser(desk.service(), admin)
    const [first = '', second = ''] = await insertCalls(db, await accountIdOf(db, admin.domain), [
      { to_number: '5548999990001', started_at: new Date(Date.now() - 60_000) },
      { to_number: '5548999990002', started_at: new Date(Date.now() - 120_000), user_uuid: user.uuid },
    ])
    return { admin, page, user, first, second }
  }

  test('are set in the history by keyboard, and calls are found by them', async () => {
    const { admin, page, first } = await open()
    await page.goto('/console/calls')
    await expect.poll(() => shown(page)).toBe(2)
    const row = page.getByRole('row').filter({ hasText: '99999-0001' })
    const opener = row.getByRole('button', { name: results.change(results.choose) })
    await opener.focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog')
    await expectAccessible(page, 'the result of a call in the history')
    await dialog.getByRole('button', { name: 'Venda' }).press('Enter')
    await dialog.getByLabel(results.notes).fill('Paga na sexta')
    await dialog.getByRole('button', { name: results.save }).press('Enter')
    await row.getByRole('button', { name: results.change('Venda') }).waitFor()
    await dialog.waitFor({ state: 'detached' })
    const stored = await desk.service().api.get(`/calls/${first}`, admin)
    expect(stored.body).toMatchObject({ outcome: 'sale', notes: 'Paga na sexta' })

    await page.getByRole('combobox', { name: results.outcome, exact: true }).selectOption({ label: 'Venda' })
    await expect.poll(() => shown(page)).toBe(1)
    await page.getByText('99999-0001').waitFor()
    await page
      .getByRole('combobox', { name: results.outcome, exact: true })
      .selectOption({ label: results.none })
    await page.getByText('99999-0002').waitFor()
    await expect.poll(() => shown(page)).toBe(1)
    await page.reload()
    await expect.poll(() => shown(page)).toBe(1)
  })

  test('of colleagues are read by a USER, and those of own calls are set', async () => {
    const { admin, user, first } = await open()
    await desk.service().api.patch(`/calls/${first}`, { outcome: 'sale' }, admin)
    const page = await desk.signIn(user.email)
    await page.goto('/console/calls')
    const other = page.getByRole('row').filter({ hasText: '99999-0001' })
    await other.getByText('Venda').waitFor()
    expect(await other.getByRole('button', { name: results.change('Venda') }).count()).toBe(0)
    const own = page.getByRole('row').filter({ hasText: '99999-0002' })
    await own.getByRole('button', { name: results.change(results.choose) }).waitFor()
  })

  test('are counted in the reports', async () => {
    const { admin, page, first } = await open()
    await desk.service().api.patch(`/calls/${first}`, { outcome: 'sale' }, admin)
    await page.goto('/console/reports')
    await page.getByRole('button', { name: reportWords.pt.groups.outcome }).press('Enter')
    const count = (name: string) =>
      page.getByRole('row').filter({ hasText: name }).getByRole('cell').nth(1).textContent()
    await expect.poll(() => count('Venda')).toBe('1')
    expect(await count(reportWords.pt.noOutcome)).toBe('1')
    // D604: from the figure to its calls.
    await page.getByRole('row').filter({ hasText: 'Venda' }).getByRole('link').press('Enter')
    await page.getByRole('heading', { level: 1, name: words.title }).waitFor()
    await expect.poll(() => shown(page)).toBe(1)
    await page.getByText('99999-0001').waitFor()
  })

  test('have their changes on the page of the call: who, when, and what became different', async () => {
    const { admin, user, page, second } = await open()
    const { api } = desk.service()
    await api.patch(`/calls/${second}`, { outcome: 'sale', tags: ['vip'] }, admin)
    await api.patch(`/calls/${second}`, { outcome: 'resolved', notes: 'Tudo pago' }, user)
    await page.goto(`/console/calls/${second}`)
    const changes = page.getByRole('list', { name: words.changes }).getByRole('listitem')
    await expect.poll(() => changes.count()).toBe(2)
    const [newest, oldest] = await changes.allInnerTexts()
    expect(newest).toContain(user.name)
    expect(newest).toContain(words.outcomeBecame('Resolvido'))
    expect(newest).toContain(words.notesBecame('Tudo pago'))
    expect(newest).not.toContain(words.tagsBecame('vip'))
    expect(oldest).toContain(words.outcomeBecame('Venda'))
    expect(oldest).toContain(words.tagsBecame('vip'))
    await page.getByLabel(results.notes).fill('Tudo pago, com recibo')
    await page.getByRole('button', { name: results.save }).press('Enter')
    await expect.poll(() => changes.count()).toBe(3)
    await expectAccessible(page, 'the changes of a result')
  })
})
