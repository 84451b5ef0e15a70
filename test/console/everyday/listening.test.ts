/** Recordings are played from the history, one at a time. */
import { describe, expect, test } from 'vitest'
import { callPageWords } from '../../../console/pages/calls/words.ts'
import { wavHeader } from '../../../src/media/sound/wav.ts'
import { programMissing } from '../../helpers/programs/programs.ts'
import { accountIdOf, insertCalls } from '../../helpers/service/call-rows.ts'
import { storeRecording } from '../../helpers/service/recordings.ts'
import { useDesk } from './setting.ts'

const words = callPageWords.pt
/** Half a minute of silence: it does not end while the test runs. */
const seconds = 30
const sound = Buffer.concat([wavHeader(seconds * 8_000), Buffer.alloc(seconds * 32_000)])

describe.skipIf(programMissing('chromium'))('the history', () => {
  const desk = useDesk()

  test('plays a recording by its button; another one takes its place', async () => {
    const { admin, page } = await desk.openAccount()
    const service = desk.service()
    const { db } = service
    const recorded = { recording: 'spooled', status: 'completed', duration: seconds } as const
    const ids = await insertCalls(db, await accountIdOf(db, admin.domain), [
      { ...recorded, to_number: '5548999990001', answered_at: new Date('2026-11-15T12:00:00Z') },
      { ...recorded, to_number: '5548999990002', answered_at: new Date('2026-11-15T12:00:00Z') },
    ])
    for (const id of ids) await storeRecording(service, id, sound, seconds)
    await page.goto('/console/calls')
    const button = (name: string) => page.getByRole('button', { name })
    const [first, second] = ['(48) 99999-0001', '(48) 99999-0002'] as const
    await button(words.playOf(first)).press('Enter')
    await button(words.pauseOf(first)).waitFor()
    await button(words.playOf(second)).press('Enter')
    await button(words.pauseOf(second)).waitFor()
    await button(words.playOf(first)).waitFor()
    await button(words.pauseOf(second)).press('Enter')
    await button(words.playOf(second)).waitFor()
    expect(await page.getByRole('button', { name: words.pauseOf('') }).count()).toBe(0)
  })
})
