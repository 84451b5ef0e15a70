/** The SIP messages of a call at the operator's console (D660): a real call, from the list of live calls to its ladder. */
import { readFileSync } from 'node:fs'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { sipWords } from '../../console/operator/sip/words.ts'
import { operatorWords } from '../../console/operator/words.ts'
import { programMissing } from '../helpers/programs/programs.ts'
import { accountIdOf, insertCalls } from '../helpers/service/call-rows.ts'
import type { Service } from '../helpers/service/service.ts'
import { insertTrace, sketchMessage } from '../helpers/stored/sip-trace-rows.ts'
import {
  openTracedAccount,
  startTracedPhone,
  startTracedService,
  type TracedPhone,
} from '../journeys/operating/traced-calls.ts'
import { openCarrier } from '../sip/engine/test-carrier.ts'
import { expectAccessible, openConsole, startChromium } from './console-browser.ts'

const called = '5548999990000'
/** As libpcap writes it on a machine of either byte order. */
const pcapMagic = ['d4c3b2a1', 'a1b2c3d4']

/** The place of the message that has the focus. */
const focusedRow = `[...document.querySelectorAll('.ladder ol button')].indexOf(document.activeElement)`

describe.skipIf(programMissing('chromium'))('in a browser', () => {
  const closers: (() => unknown)[] = []
  const scope = { onTestFinished: (close: unknown) => void closers.push(close as () => unknown) }
  let service: Service
  let carrier: Awaited<ReturnType<typeof openCarrier>>
  let account: Awaited<ReturnType<typeof openTracedAccount>>
  let phone: TracedPhone
  let browser: Browser

  beforeAll(async () => {
    carrier = await openCarrier(scope, { answers: true })
    service = await startTracedService(carrier, { RTP_PORTS: '29300-29499' })
    await service.app.consoleBuild?.finished
    account = await openTracedAccount(service)
    phone = await startTracedPhone(service, account)
    browser = await startChromium()
  })
  afterAll(async () => {
    await browser?.close()
    await phone?.stop()
    await service?.stop()
    for (const close of closers) await close()
  })

  type Look = { language: 'pt' | 'en'; width: number; theme: 'light' | 'dark' }

  /** The operator's overview. */
  async function openOperator({ language, width, theme }: Look) {
    const locale = language === 'pt' ? 'pt-BR' : 'en-GB'
    const opened = await openConsole(browser, service.url, { locale, colorScheme: theme, width })
    onTestFinished(() => opened.context.close())
    await opened.page.goto(`/operator?token=${service.app.operatorToken?.token}`)
    await opened.page.getByRole('heading', { level: 1, name: operatorWords[language].overview }).waitFor()
    return opened
  }

  /** A call that talks. */
  async function dial(): Promise<string> {
    const before = carrier.arrived.length
    expect(await phone.call(called)).toBe(true)
    await expect.poll(() => carrier.arrived.length).toBe(before + 1)
    return carrier.arrived.at(-1)?.callId ?? ''
  }

  const rowsOf = (page: Page, language: Look['language']) =>
    page.getByRole('list', { name: sipWords[language].title }).getByRole('button')

  test.each([
    { language: 'pt', width: 1280, theme: 'light' },
    { language: 'en', width: 800, theme: 'dark' },
    { language: 'en', width: 360, theme: 'dark' },
  ] as const)(
    'the operator follows a live call to its ladder and reads a message by keyboard ($language, $width px)',
    async (story) => {
      const { language } = story
      const words = sipWords[language]
      const { roles } = words
      const { page, errors } = await openOperator(story)
      const id = await dial()
      await page.goto(`/operator/calls?search=${account.domain}`)
      const link = page.getByRole('link', {
        name: new RegExp(`^${operatorWords[language].sipMessages} 1000 `),
      })
      await link.focus()
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { level: 1, name: words.title }).waitFor()
      await page.getByRole('heading', { level: 2, name: words.empty }).waitFor()
      await page
        .getByText(language === 'pt' ? /Esta chamada não terminou/ : /This call is not over/)
        .waitFor()
      await page.getByText(id).waitFor()
      await expectAccessible(page, 'no messages')

      phone.hangUp()
      const rows = rowsOf(page, language)
      await rows.first().waitFor()
      await page.getByText(roles.extension, { exact: true }).waitFor()
      await page.getByText(roles.carrier, { exact: true }).waitFor()
      const read = (await rows.allInnerTexts()).map((text) => text.replace(/\s+/g, ' '))
      const inOrder = [
        `INVITE ${words.exchanged(roles.extension, roles.node)}`,
        `407 Proxy Authentication Required ${words.exchanged(roles.node, roles.extension)}`,
        `INVITE ${words.exchanged(roles.node, roles.carrier)}`,
        `200 OK ${words.exchanged(roles.carrier, roles.node)}`,
        `BYE ${words.exchanged(roles.extension, roles.node)}`,
        `BYE ${words.exchanged(roles.node, roles.carrier)}`,
      ].map((start) => read.findIndex((text) => text.includes(start)))
      expect(inOrder, read.join('\n')).not.toContain(-1)
      expect(inOrder).toEqual([...inOrder].sort((one, other) => one - other))
      expect(read.join('\n')).not.toContain(words.retransmission)
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
      await expectAccessible(page, 'ladder')

      await rows.first().focus()
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Home')
      await page.keyboard.press('End')
      expect(await page.evaluate(focusedRow)).toBe(read.length - 1)
      await page.keyboard.press('Home')
      const signed = read.findIndex((text, place) => place > 0 && text.includes('INVITE '))
      for (let place = 0; place < signed; place += 1) await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
      const dialog = page.getByRole('dialog', { name: 'INVITE' })
      await dialog.getByText(/Proxy-Authorization: Digest .*response="?x+/).waitFor()
      await expectAccessible(page, 'message')
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
      expect(await page.evaluate(focusedRow)).toBe(signed)

      const downloading = page.waitForEvent('download')
      await page.getByRole('link', { name: words.download }).click()
      const file = await downloading
      expect(file.suggestedFilename()).toBe(`call-${id}.pcap`)
      expect(pcapMagic).toContain(readFileSync(await file.path()).toString('hex', 0, 4))
      expect(errors).toEqual([])
    },
  )

  test('a call is found by its id and on the page of its account; a message that was sent again is marked', async () => {
    const { page, errors } = await openOperator({ language: 'en', width: 1280, theme: 'light' })
    const words = sipWords.en
    const started_at = new Date(Date.now() - 60_000)
    const accountId = await accountIdOf(service.db, account.domain)
    const [callId = '', none = ''] = await insertCalls(service.db, accountId, [
      { domain: account.domain, started_at },
      { domain: account.domain, started_at: new Date(Date.now() - 4 * 86_400_000) },
    ])
    const invite = {
      direction: 'sent',
      side: 'other',
      party: 'carrier',
      firstLine: 'INVITE sip:5548999998888@203.0.113.107 SIP/2.0',
      cseq: '1 INVITE',
      branch: 'z9hG4bK1',
    } as const
    const messages = [0, 500, 1500].map((afterMs) => sketchMessage(started_at, { ...invite, afterMs }))
    await insertTrace(service.db, { callId, node: service.app.node.id, messages, leftOut: 7 })

    await page.goto('/operator/calls')
    await page.getByLabel(operatorWords.en.searchCalls).fill(callId)
    await page.getByRole('link', { name: operatorWords.en.sipMessagesOf(callId) }).click()
    await page.getByText(words.leftOut('7')).waitFor()
    const read = await rowsOf(page, 'en').allInnerTexts()
    expect(read.map((text) => [text.slice(0, 7), text.includes(words.retransmission)])).toEqual([
      ['0.000 s', false],
      ['0.500 s', true],
      ['1.500 s', true],
    ])

    await page.getByRole('link', { name: account.domain }).click()
    await page.locator(`a[href="/operator/calls/${none}/sip"]`).click()
    await page.getByText('The SIP messages of this call have been removed: SIP_TRACE_DAYS is 3.').waitFor()
    expect(await page.getByRole('link', { name: words.download }).count()).toBe(0)
    await page.goto(`/operator/calls/${crypto.randomUUID()}/sip`)
    await page.getByText('There are no SIP messages: no call has this id.').waitFor()
    expect(errors).toEqual([])
  })
})
