/** D664, D665, D666, D667: what is seen at a glance: one line a row, all pages, a word for each icon, figures beside those of the time before. */
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { liveWords } from '../../../console/pages/live/words.ts'
import { numberWords } from '../../../console/pages/numbers/words.ts'
import { overviewWords } from '../../../console/pages/overview/words.ts'
import { programMissing } from '../../helpers/programs/programs.ts'
import { accountIdOf, insertCalls } from '../../helpers/service/call-rows.ts'
import { useDesk, signInWords as words } from './setting.ts'

const person = { senha: 's3nha-do-ramal', first_name: 'Ana', last_name: 'Souza' }
const dayMs = 86_400_000
const maxShift = 0.1

describe.skipIf(programMissing('chromium'))('the console', () => {
  const desk = useDesk()

  /** One extension of the ADMIN. */
  async function openWithExtension(width?: number) {
    const { admin, page } = await desk.openAccount()
    const { api } = desk.service()
    const body = { ...person, ramal: '1000', email_address: admin.email }
    expect((await api.post('/extensions', body, admin)).status).toBe(200)
    if (width === undefined) return page
    await page.setViewportSize({ width, height: 800 })
    return page
  }

  test('shows a row in one line, and the word of a button beside its icon: on a desktop to who points at it, on a telephone always', async () => {
    const page = await openWithExtension(1280)
    await page.goto('/console/extensions')
    const button = page.getByRole('button', { name: `${words.remove} 1000` })
    await button.waitFor()
    const height = await page.evaluate<number>('document.querySelector("tbody tr").offsetHeight')
    expect(height).toBeLessThan(45)
    const secondary = page.locator('tbody td > div.hide-narrow').first()
    expect(await secondary.isVisible()).toBe(true)
    await page.setViewportSize({ width: 800, height: 800 })
    expect(await secondary.isVisible()).toBe(false)
    await page.setViewportSize({ width: 1280, height: 800 })
    const word = `getComputedStyle(document.querySelector('[aria-label="${words.remove} 1000"]'), '::after').content`
    const shown = () => page.evaluate<string>(word)
    expect(await shown()).toBe('none')
    await button.focus()
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Tab')
    expect(await shown()).toContain(`${words.remove} 1000`)
    await page.setViewportSize({ width: 360, height: 800 })
    await button.getByText(words.remove).waitFor()
  })

  test('has all pages of the navigation in sight at 1280 × 800 pixels, and at the bottom at 800', async () => {
    const page = await openWithExtension(1280)
    const last = page.locator('.side .nav-link').last()
    await last.waitFor()
    const below = await page.evaluate<number>(
      `document.querySelector('.side').scrollHeight - document.querySelector('.side').clientHeight`,
    )
    expect(below).toBeLessThanOrEqual(0)
    await page.setViewportSize({ width: 800, height: 800 })
    await page.getByRole('button', { name: words.more }).waitFor()
    expect(await last.isVisible()).toBe(false)
  })

  test('compares calls and answers of today with the same hours a week ago', async () => {
    const { admin, page } = await desk.openAccount()
    const { db } = desk.service()
    const now = new Date()
    const answered = { answered_at: now, status: 'completed', hangup_cause: 'NORMAL_CLEARING' } as const
    const weekAgo = { started_at: new Date(now.getTime() - 7 * dayMs) }
    await insertCalls(db, await accountIdOf(db, admin.domain), [
      { started_at: now, ...answered },
      { started_at: now, ...answered },
      { started_at: now },
      { ...weekAgo },
      { ...weekAgo, ...answered },
    ])
    await page.goto('/console/overview')
    const figure = (name: string) => page.locator('.figure', { hasText: name })
    await figure(overviewWords.pt.today).getByText('+50%').waitFor()
    await figure(overviewWords.pt.rate).getByText('+17 p.p.').waitFor()
  })

  test('says on each empty page of a new account what to do next, and nothing jumps', async () => {
    const { page } = await desk.openAccount()
    const next: [string, 'link' | 'button', string][] = [
      ['calls', 'link', words.openPhone],
      ['live', 'link', liveWords.pt.createExtension],
      ['numbers', 'button', numberWords.pt.add],
    ]
    for (const [path, role, name] of next) {
      await page.goto(`/console/${path}`)
      await page.locator('main').getByRole(role, { name }).last().waitFor()
      expect(await shifted(page), path).toBeLessThan(maxShift)
    }
    await page.setViewportSize({ width: 360, height: 800 })
    for (const path of ['credit', 'reports', 'phone']) {
      await page.goto(`/console/${path}`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.locator('.skeleton').first().waitFor({ state: 'detached' })
      expect(await shifted(page), path).toBeLessThan(maxShift)
    }
  })
})

const shifted = (page: Page) => page.evaluate<number>('window.shifted')
