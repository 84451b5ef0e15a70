/** D599: an ADMIN sets in the console that users see only their own calls, and the page says who may listen. */
import { describe, expect, test } from 'vitest'
import { callPageWords } from '../../../console/pages/calls/words.ts'
import { settingsWords } from '../../../console/pages/settings/words.ts'
import { userWords } from '../../../console/pages/users/words.ts'
import { commonWords } from '../../../console/words/common.ts'
import { programMissing } from '../../helpers/programs/programs.ts'
import { accountIdOf, insertCalls } from '../../helpers/service/call-rows.ts'
import { addUser } from '../../helpers/service/people.ts'
import { expectAccessible } from '../console-browser.ts'
import { useDesk } from './setting.ts'

const words = callPageWords.pt
const common = commonWords.pt

describe.skipIf(programMissing('chromium'))('calls that a user sees', () => {
  const desk = useDesk()

  test('are those of the account until an ADMIN chooses their own ones, and each page says who may listen', async () => {
    const { admin, page } = await desk.openAccount()
    const service = desk.service()
    const bia = await addUser(service, admin)
    const person = { first_name: 'Bia', last_name: 'Lima', email_address: bia.email }
    await service.api.post('/extensions', { ramal: '1001', senha: 's3nha-longa', ...person }, admin)
    await insertCalls(service.db, await accountIdOf(service.db, admin.domain), [
      { from_number: '1001', to_number: '5548999990001', user_uuid: bia.uuid },
      { from_number: '1002', to_number: '5548999990002' },
    ])
    const hers = await desk.signIn(bia.email)
    await hers.goto('/console/calls')
    await hers.getByText(words.abouts.all).waitFor()
    await expect.poll(() => hers.locator('tbody tr').count()).toBe(2)

    await page.goto('/console/settings')
    await page.getByLabel(settingsWords.pt.callVisibility).selectOption('own')
    const form = page.locator('form').filter({ has: page.getByLabel(settingsWords.pt.callVisibility) })
    await form.getByRole('button', { name: common.save }).press('Enter')
    await page.getByText(common.saved).first().waitFor()
    await expectAccessible(page, 'settings with the choice of calls')

    await hers.reload()
    await hers.getByText(words.abouts.own).waitFor()
    await expect.poll(() => hers.locator('tbody tr').count()).toBe(1)
    await hers.getByRole('row').getByText('99999-0001').waitFor()

    await page.goto('/console/calls')
    await page.getByText(words.abouts.admin).waitFor()
    await expect.poll(() => page.locator('tbody tr').count()).toBe(2)
    await page.goto('/console/users')
    await page.getByRole('button', { name: userWords.pt.invite, exact: true }).click()
    await page.getByText(userWords.pt.roleHints.own).waitFor()
  })
})
