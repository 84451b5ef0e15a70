/** D608: the wall view, from the live page to a large screen. */
import { describe, expect, test } from 'vitest'
import { liveWords } from '../../../console/pages/live/words.ts'
import { programMissing } from '../../helpers/programs/programs.ts'
import { accountIdOf, insertCalls, live } from '../../helpers/service/call-rows.ts'
import { expectAccessible } from '../console-browser.ts'
import { useDesk } from './setting.ts'

const words = liveWords.pt
/** Millimetres of a pixel: a television of 55 inches, 16:9, at 1920 pixels. */
const mmPerPixel = 0.634
/** Height of capitals, by the size of the letters. */
const capitals = 0.7
/** Five metres are read at 1 : 200. */
const minMm = 25

describe.skipIf(programMissing('chromium'))('the wall view', () => {
  const desk = useDesk()

  test('shows live figures in letters that are read from five metres, without controls', async () => {
    const { admin, page } = await desk.openAccount()
    const { db, api } = desk.service()
    const input = {
      first_name: 'Ana',
      last_name: 'Souza',
      senha: 's3nha-do-ramal',
      email_address: admin.email,
    }
    const made = await api.post('/extensions', { ...input, ramal: '1000' }, admin)
    expect(made.status).toBe(200)
    const at = new Date(Date.now() - 65_000)
    await insertCalls(db, await accountIdOf(db, admin.domain), [
      { started_at: at, answered_at: at, ...live('answered') },
      { started_at: at, ...live('ringing') },
      { started_at: at },
      { started_at: at, answered_at: at, duration: 10, hangup_cause: 'NORMAL_CLEARING' },
      { started_at: at, call_type: 'inbound', from_number: '5548999990001', to_number: '1000' },
    ])
    await page.goto('/console/live')
    const [wall] = await Promise.all([
      page.context().waitForEvent('page'),
      page.getByRole('link', { name: words.wall }).click(),
    ])
    await wall.setViewportSize({ width: 1920, height: 1080 })
    const value = (name: string) =>
      wall.locator('dl > div').filter({ hasText: name }).locator('dd').textContent()
    await expect.poll(() => value(words.talking)).toBe('1')
    expect(await value(words.ringing)).toBe('1')
    expect(await value(words.longest)).toMatch(/^1:\d\d$/)
    await expect.poll(() => value(words.callsToday)).toBe('3')
    expect(await value(words.rateToday)).toBe('33%')
    await expect.poll(() => value(words.phonesOnline)).toBe('0/1')
    await expect.poll(() => value(words.missed)).toBe('1')

    const smallest = await wall.evaluate<number>(
      "Math.min(...[...document.querySelectorAll('dt, dd, h1, .clock')].map((one) => parseFloat(getComputedStyle(one).fontSize)))",
    )
    expect(smallest * capitals * mmPerPixel).toBeGreaterThanOrEqual(minMm)
    const overflowing = await wall.evaluate<number>(
      "[...document.querySelectorAll('dl > div')].filter((one) => one.scrollWidth > one.clientWidth).length",
    )
    expect(overflowing).toBe(0)
    expect(await wall.evaluate<number>('document.documentElement.scrollHeight')).toBeLessThanOrEqual(1080)
    expect(await wall.getByRole('navigation').count()).toBe(0)
    await expectAccessible(wall, 'wall')

    await wall.keyboard.press('Tab')
    await wall.getByRole('link', { name: words.leaveWall }).press('Enter')
    await wall.getByRole('heading', { level: 1, name: words.title }).waitFor()
  })
})
