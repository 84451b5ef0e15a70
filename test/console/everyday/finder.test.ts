/** D603: search for anything with Ctrl-K, by keyboard alone. */
import { describe, expect, test } from 'vitest'
import { finderWords } from '../../../console/finder/words.ts'
import { callPageWords } from '../../../console/pages/calls/words.ts'
import { missedWords } from '../../../console/pages/missed/words.ts'
import { programMissing } from '../../helpers/programs/programs.ts'
import { accountIdOf, insertCalls } from '../../helpers/service/call-rows.ts'
import { expectAccessible } from '../console-browser.ts'
import { useDesk } from './setting.ts'

const words = finderWords.pt

describe.skipIf(programMissing('chromium'))('Ctrl-K', () => {
  const desk = useDesk()

  test('opens pages and calls, lists the calls of a number, and calls people', async () => {
    const { admin, page } = await desk.openAccount()
    const { api, db } = desk.service()
    const person = { first_name: 'Ana', last_name: 'Souza', email_address: admin.email }
    await api.post('/extensions', { ramal: '1000', senha: 's3nha-longa', ...person }, admin)
    await api.post('/contacts', { name: 'Carla Dias', numbers: ['5548999990001'] }, admin)
    const [id = ''] = await insertCalls(db, await accountIdOf(db, admin.domain), [
      { to_number: '5548999990001' },
      { to_number: '5548999990002' },
    ])
    await page.reload()
    await page.getByRole('navigation').first().waitFor()
    const option = (name: string) => page.getByRole('listbox').getByRole('option', { name })
    async function find(text: string, name: string) {
      await page.keyboard.press('Control+k')
      await page.locator('[role=combobox]:focus').waitFor()
      await page.keyboard.type(text)
      await option(name).first().waitFor()
    }

    await find('perdi', 'Perdidas')
    await expectAccessible(page, 'search for anything')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: missedWords.pt.title }).waitFor()

    await find(id, words.openCall)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: callPageWords.pt.one.to('(48) 99999-0001') }).waitFor()

    await find('48 99999-0002', words.calls('(48) 99999-0002'))
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.locator('tbody tr').count()).toBe(1)
    await page.locator('tbody').getByText('99999-0002').waitFor()

    await find('ligar para carla', words.call('Carla Dias'))
    expect(await page.getByRole('listbox').getByRole('option').count()).toBe(1)
    const [placed] = await Promise.all([
      page.waitForRequest((request) => request.method() === 'POST' && request.url().endsWith('/calls')),
      page.keyboard.press('Enter'),
    ])
    expect(placed.postDataJSON()).toMatchObject({ extension: '1000' })

    await page.keyboard.press('Control+k')
    await page.locator('[role=combobox]:focus').waitFor()
    await page.keyboard.type('nada disso')
    await page.getByRole('paragraph').filter({ hasText: words.none }).first().waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  })
})
