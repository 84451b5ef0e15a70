/** The page of events (D605, D606) in Chromium: an event is found, and sent to an integration that was made afterwards. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { eventWords } from '../../console/pages/events/words.ts'
import { integrationWords } from '../../console/pages/integrations/words.ts'
import { shellWords } from '../../console/shell/words.ts'
import { commonWords } from '../../console/words/common.ts'
import { deliveryWords } from '../../console/words/deliveries.ts'
import { systemClock } from '../../src/kit/clock.ts'
import { programMissing } from '../helpers/programs/programs.ts'
import type { Receiver } from '../helpers/programs/receiver.ts'
import { both, listenWith } from '../helpers/programs/webhook-listener.ts'
import { announce, callOf } from '../helpers/service/announcements.ts'
import { openAccount, password } from '../helpers/service/people.ts'
import { type Service, startService } from '../helpers/service/service.ts'
import { expectAccessible, openConsole, startChromium, typePassword } from './console-browser.ts'

describe.skipIf(programMissing('chromium'))('in a browser', () => {
  let service: Service
  let browser: Browser
  const receivers: Receiver[] = []
  beforeAll(async () => {
    service = await startService({ CONSOLE: 'on', WEBHOOK_ALLOW_PRIVATE: 'true' }, { clock: systemClock })
    await service.app.consoleBuild?.finished
    browser = await startChromium()
  })
  afterAll(async () => {
    await browser?.close()
    for (const receiver of receivers) await receiver.stop()
    await service?.stop()
  })

  test.each([
    { language: 'pt', locale: 'pt-BR', width: 1280, theme: 'light' },
    { language: 'en', locale: 'en-GB', width: 360, theme: 'dark' },
  ] as const)('an event of the past reaches a new integration ($language, $width px)', async (story) => {
    const { language, locale, width, theme } = story
    const words = eventWords[language]
    const { types, resend, statuses } = deliveryWords[language]
    const admin = await openAccount(service)
    const call = await callOf(service, admin.email)
    await announce(service, call, ...both)
    const { receiver, id } = await listenWith(service, receivers, { who: admin })
    const { context, page, errors } = await openConsole(browser, service.url, {
      locale,
      colorScheme: theme,
      width,
    })
    onTestFinished(() => context.close())
    await page.goto('/console/events')
    await typePassword(page, { ...shellWords[language], ...commonWords[language] }, password, admin.email)
    await page.getByRole('heading', { level: 1, name: words.title }).waitFor()
    await page.getByRole('button', { name: types['channel-answer'] ?? '' }).waitFor()
    await page.getByLabel(words.event, { exact: true }).selectOption('channel-hangup')
    await page.getByRole('button', { name: types['channel-answer'] ?? '' }).waitFor({ state: 'detached' })
    await expectAccessible(page, 'events')
    await page.getByRole('button', { name: types['channel-hangup'] ?? '' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText(call.callId).waitFor()
    await expectAccessible(page, 'event')
    await dialog.getByRole('button', { name: resend }).click()
    const [sent] = await receiver.until(1)
    expect(sent?.body).toMatchObject({ eventType: 'channel-hangup', id: call.callId })
    await page.keyboard.press('Escape')
    await page.getByText(`: ${statuses.delivered}`).waitFor()
    await page.getByLabel(words.callId).fill('0193a2f4-7a3c-7c1e-9d3b-5f1e2a4b6c8d')
    await page.getByText(words.empty).waitFor()

    await page.getByRole('link', { name: words.catalogue }).click()
    await page.getByRole('heading', { level: 2, name: 'charge-paid' }).waitFor()
    await page.getByRole('heading', { level: 2, name: 'channel-answer' }).click()
    await page.getByText('"eventType": "channel-answer"').waitFor()
    await expectAccessible(page, 'catalogue')

    await page.goto(`/console/integrations/${id}`)
    const integration = integrationWords[language]
    await page.getByRole('button', { name: integration.replay }).click()
    await expectAccessible(page, 'replay')
    await page.getByRole('dialog').getByRole('button', { name: resend }).click()
    await page.getByText(integration.replayed('2')).waitFor()
    await receiver.until(3)
    expect(errors).toEqual([])
  })
})
