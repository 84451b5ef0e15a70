/** Finding calls in the history. */
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { callPageWords } from '../../../console/pages/calls/words.ts'
import { programMissing } from '../../helpers/programs/programs.ts'
import { accountIdOf, insertCalls } from '../../helpers/service/call-rows.ts'
import { expectAccessible } from '../console-browser.ts'
import { useDesk } from './setting.ts'

const words = callPageWords.pt
const caller = '5511987654321'

describe.skipIf(programMissing('chromium'))('the history', () => {
  const desk = useDesk()

  async function openHistory(): Promise<Page> {
    const { admin, page } = await desk.openAccount()
    const { db } = desk.service()
    const day = (text: string) => new Date(`${text}T15:00:00Z`)
    await insertCalls(db, await accountIdOf(db, admin.domain), [
      { call_type: 'inbound', from_number: caller, to_number: '1000', started_at: day('2026-10-31') },
      { to_number: '5548999990001', started_at: day('2026-11-01'), duration: 90, call_price: 120 },
      { to_number: '12125551234', started_at: day('2026-11-02') },
    ])
    await page.goto('/console/calls')
    await expect.poll(() => shown(page)).toBe(3)
    return page
  }

  const shown = (page: Page) => page.locator('tbody tr').count()

  test('D613, D640: finds who called by the end of their number or six digits of it, and shows numbers by their country', async () => {
    const page = await openHistory()
    await page.getByText('+1 212 555 1234').waitFor()
    for (const typed of ['4321', '987654']) {
      await page.getByLabel(words.search).fill(typed)
      await expect.poll(() => shown(page)).toBe(1)
      await page.getByText('(11) 98765-4321').waitFor()
      await page.getByLabel(words.search).fill('')
      await expect.poll(() => shown(page)).toBe(3)
    }
    await page.getByLabel(words.search).fill('98765')
    await page.getByRole('heading', { name: words.noMatch }).waitFor()
  })

  test('asks once for a number that is typed at once, and clears the boxes with the filters', async () => {
    const page = await openHistory()
    const asked: string[] = []
    page.on('request', (request) => request.url().includes('/calls?') && asked.push(request.url()))
    await page.getByLabel(words.search).evaluate(typeKeys, '00000000000')
    await page.getByRole('heading', { name: words.noMatch }).waitFor()
    expect(asked).toHaveLength(1)
    await page.getByRole('button', { name: words.clear }).click()
    await expect.poll(() => shown(page)).toBe(3)
    expect(await page.getByLabel(words.search).inputValue()).toBe('')
  })

  test('finds calls by days, length and price, which stay in the address', async () => {
    const page = await openHistory()
    await page.getByText(words.moreFilters).click()
    await page.getByLabel(words.since).fill('2026-11-01')
    await expect.poll(() => shown(page)).toBe(2)
    await page.getByLabel(words.until).fill('2026-11-01')
    await expect.poll(() => shown(page)).toBe(1)
    await page.getByLabel(words.since).fill('')
    await page.getByLabel(words.until).fill('')
    await expect.poll(() => shown(page)).toBe(3)
    await page.getByLabel(words.minSeconds).fill('60')
    await page.getByLabel(words.minPrice).fill('1.20')
    await expect.poll(() => shown(page)).toBe(1)
    await expectAccessible(page, 'filters')
    await page.reload()
    await expect.poll(() => shown(page)).toBe(1)
    expect(await page.getByLabel(words.minPrice).inputValue()).toBe('1.20')
  })

  test('hidden columns stay hidden when the language changes', async () => {
    const page = await openHistory()
    await page.getByRole('button', { name: words.columns }).click()
    await page.getByRole('checkbox', { name: words.price }).uncheck()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'EN, English' }).click()
    await page.getByRole('heading', { name: callPageWords.en.title }).waitFor()
    expect(await page.getByRole('columnheader', { name: callPageWords.en.price }).count()).toBe(0)
    expect(await page.getByRole('columnheader', { name: callPageWords.en.length }).count()).toBe(1)
  })
})

/** One input event a key, faster than any machine is busy. */
function typeKeys(input: object, text: string) {
  const field = input as { value: string; dispatchEvent(event: Event): boolean }
  const { set } = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(input), 'value') ?? {}
  for (let length = 1; length <= text.length; length += 1) {
    set?.call(field, text.slice(0, length))
    field.dispatchEvent(new Event('input', { bubbles: true }))
  }
}
