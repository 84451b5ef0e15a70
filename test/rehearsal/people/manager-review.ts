/** In the evening the manager searches the history, listens to a recording and takes the calls home as a file. */
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { callPageWords } from '../../../console/pages/calls/words.ts'
import { commonWords } from '../../../console/words/common.ts'
import { eventually } from '../runner/polling.ts'
import type { Person } from '../runner/story.ts'
import { allCalls } from '../stage/api.ts'
import { customers, hertz } from '../stage/carrier.ts'
import type { Day } from '../stage/day.ts'
import { fetchRecording, hertzOf, secondsOf } from '../witnesses/recording.ts'
import { sellersHertz } from './seller.ts'

const words = { ...commonWords.pt, ...callPageWords.pt }

export async function reviewCalls(person: Person, day: Day, { page }: { page: Page }, token: string) {
  const { check } = person
  const { api } = day.service
  const rows = () => page.locator('tbody tr').count()
  const openHistory = async () => {
    await page.goto('/console/calls')
    await page.getByRole('heading', { level: 1, name: words.title }).waitFor()
    await page.locator('tbody tr').first().waitFor()
  }

  await check('finds a call by a part of its number, and nothing by another', async () => {
    await openHistory()
    await page.getByLabel(words.search).fill('99999-0441')
    await eventually(async () => ((await rows()) === 1 ? true : undefined), { what: 'the one call' })
    await page.getByLabel(words.search).fill('12345678')
    await page.getByText(words.noMatch, { exact: true }).waitFor()
  })
  await check('takes all calls home as a CSV file with a row for each', async () => {
    await openHistory()
    const downloading = page.waitForEvent('download')
    await page.getByRole('link', { name: words.exportCsv }).click()
    const file = await readFile(await (await downloading).path(), 'utf8')
    const lines = file.trim().split('\n').length - 1
    const calls = await allCalls(api, token)
    if (lines !== calls.length || lines === 0) throw new Error(`${lines} rows for ${calls.length} calls`)
  })
  await check('plays the recording of a call in the page, and sox finds both tones in it', async () => {
    const found = async () => {
      const calls = await allCalls(api, token)
      return calls.find(({ to, record_url }) => to === customers.sellerClickToCall && record_url !== null)
    }
    const call = await eventually(found, { every: 5000, what: 'the recording' })
    await page.goto(`/console/calls/${call.id}`)
    await page.getByRole('button', { name: words.play }).click()
    const position = () => page.evaluate<number>('document.querySelector("audio")?.currentTime ?? 0')
    await eventually(async () => ((await position()) > 0.5 ? true : undefined), { what: 'sound' })
    const file = await fetchRecording(call.record_url ?? '', day.evidence)
    const heard = {
      seconds: await secondsOf(file),
      left: await hertzOf(file, 1),
      right: await hertzOf(file, 2),
    }
    const isRight =
      Math.abs(heard.seconds - call.duration) <= 1.5 &&
      Math.abs(heard.left - sellersHertz) < 30 &&
      Math.abs(heard.right - hertz.customer) < 30
    if (!isRight) throw new Error(`call of ${call.duration} s, recording ${JSON.stringify(heard)}`)
  })
}
