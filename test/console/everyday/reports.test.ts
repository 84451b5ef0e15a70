/** D604, D607: reports against the time before, by hour of the week, and from each figure to its calls. */
import { describe, expect, test } from 'vitest'
import { callPageWords } from '../../../console/pages/calls/words.ts'
import { reportWords } from '../../../console/pages/reports/words.ts'
import { commonWords } from '../../../console/words/common.ts'
import { programMissing } from '../../helpers/programs/programs.ts'
import { accountIdOf, insertCalls } from '../../helpers/service/call-rows.ts'
import { addUser } from '../../helpers/service/people.ts'
import { expectAccessible } from '../console-browser.ts'
import { useDesk } from './setting.ts'

const words = reportWords.pt
const dayMs = 86_400_000

describe.skipIf(programMissing('chromium'))('reports', () => {
  const desk = useDesk()

  test('are compared with the time before, and each figure leads to its calls', async () => {
    const { admin, page } = await desk.openAccount()
    const { db } = desk.service()
    const user = await addUser(desk.service(), admin)
    const now = Date.now()
    const recent = new Date(now - 60_000)
    await insertCalls(db, await accountIdOf(db, admin.domain), [
      {
        to_number: '5548999990001',
        started_at: recent,
        answered_at: recent,
        status: 'completed',
        duration: 70,
        call_price: 35,
        user_uuid: user.uuid,
      },
      { to_number: '5548999990002', started_at: recent, hangup_cause: 'USER_BUSY' },
      { call_type: 'inbound', from_number: '5548999990003', to_number: '1000', started_at: recent },
      { to_number: '5548999990004', started_at: new Date(now - 9 * dayMs) },
    ])
    await page.goto('/console/reports')
    const calls = page.locator('.figure').filter({ hasText: words.calls })
    await expect.poll(() => calls.textContent()).toContain(words.before('1'))
    expect(await calls.textContent()).toContain('+200%')

    const hours = page.getByRole('table', { name: words.hours })
    await expect.poll(() => hours.locator('tbody td').filter({ hasText: '3' }).count()).toBe(1)
    await expectAccessible(page, 'reports')

    const shown = page.locator('tbody tr')
    for (const [total, count] of [
      [words.calls, 3],
      [words.rate, 1],
      [words.minutes, 1],
      [words.cost, 1],
    ] as const) {
      await page.locator('a.figure').filter({ hasText: total }).press('Enter')
      await page.getByRole('heading', { level: 1, name: callPageWords.pt.title }).waitFor()
      await expect.poll(() => shown.count(), { message: total }).toBe(count)
      await page.goBack()
    }
    for (const [group, name, count] of [
      [words.groups.cause, 'Ocupado', 1],
      [words.groups.user, user.name, 1],
      [words.groups.extension, '1000', 3],
    ] as const) {
      await page.getByRole('button', { name: group }).click()
      const row = page.getByRole('row').filter({ hasText: name })
      await row.getByRole('link').click()
      await page.getByRole('heading', { level: 1, name: callPageWords.pt.title }).waitFor()
      await expect.poll(() => shown.count(), { message: group }).toBe(count)
      await expectAccessible(page, `history by ${group}`)
      await page.goBack()
    }
    await page.getByRole('button', { name: words.groups.date, exact: true }).click()
    await page.getByRole('row').getByRole('link').first().click()
    await expect.poll(() => shown.count()).toBe(3)
    await page.goto('/console/calls?cause=USER_BUSY')
    await expect.poll(() => shown.count()).toBe(1)
    await page.getByRole('button', { name: 'Ocupado' }).click()
    await expect.poll(() => shown.count()).toBe(4)
  })

  test('of other dates are of these whole days', async () => {
    const { admin, page } = await desk.openAccount()
    const { db } = desk.service()
    await insertCalls(db, await accountIdOf(db, admin.domain), [
      { started_at: new Date('2026-10-10T12:00:00Z') },
      { started_at: new Date('2026-10-10T23:00:00Z') },
      { started_at: new Date('2026-10-09T12:00:00Z') },
    ])
    await page.goto('/console/reports')
    await page.getByText(words.otherDates).click()
    await page.getByLabel(words.since).fill('2026-10-10')
    await page.getByLabel(words.until).fill('2026-10-10')
    const calls = page.locator('.figure').filter({ hasText: words.calls })
    await expect.poll(() => calls.textContent()).toContain(words.before('1'))
    expect(await calls.locator('.value').textContent()).toBe('2')
    await page.getByText(words.beforeAbout(1, false)).waitFor()
  })

  test('D643: of each month come by mail if an ADMIN switches them on, by keyboard', async () => {
    const { admin, page } = await desk.openAccount()
    const service = desk.service()
    const setting = async () => (await service.api.get('/accounts/settings', admin)).body.monthlyReport
    await page.goto('/console/reports')
    const monthly = page.getByRole('checkbox', { name: words.monthlyLabel })
    await monthly.waitFor()
    expect(await monthly.isChecked()).toBe(false)
    await monthly.focus()
    await page.keyboard.press('Space')
    await page.getByText(commonWords.pt.saved).first().waitFor()
    expect([await monthly.isChecked(), await setting()]).toEqual([true, true])
    // The focus stays, so that a second key takes it back.
    expect(await page.locator(':focus').getAttribute('type')).toBe('checkbox')
    await expectAccessible(page, 'reports with the monthly mail')
    await page.keyboard.press('Space')
    await expect.poll(setting).toBe(false)
    await page.keyboard.press('Space')
    await expect.poll(setting).toBe(true)
    await page.reload()
    await expect.poll(() => monthly.isChecked()).toBe(true)
  })
})
