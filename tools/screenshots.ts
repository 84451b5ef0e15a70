/**
 * `npm run screenshots`: writes the pictures of docs/console.md from a service that it starts for the purpose, with
 * Chromium and calls that are made up, but for one that is made in the browser and recorded.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { phoneWords } from '../console/phone/words.ts'
import { startApp } from '../src/app/start.ts'
import { readConfig } from '../src/config.ts'
import { createLog } from '../src/kit/process/log.ts'
import { openConsole, startChromium } from '../test/console/console-browser.ts'
import { makeFirstCall } from '../test/console/first-call.ts'
import { accountIdOf, type CallFields, insertCalls } from '../test/helpers/service/call-rows.ts'

const folder = fileURLToPath(new URL('../docs/console/', import.meta.url))
const dataDir = mkdtempSync(join(tmpdir(), 'ramal-screenshots-'))
const domain = 'padaria-aurora'

const env = {
  PORT: '0',
  SIP_PORT: '0',
  SIP_WS_PORT: '0',
  RTP_PORTS: '27000-27999',
  DATA_DIR: dataDir,
  RATE_LIMITS: 'off',
}
mkdirSync(folder, { recursive: true })
const config = readConfig(env)
const fullDomain = `${domain}${config.accountDomainSuffix}`
const app = await startApp(config, { log: createLog('silent') })
const browser = await startChromium()
try {
  await app.consoleBuild?.finished
  const wide = { locale: 'en-GB', colorScheme: 'light', width: 1280 } as const
  const { context, page } = await openConsole(browser, app.url, wide)
  const person = {
    start: `/console?token=${app.operatorToken?.token}`,
    language: 'en',
    company: 'Padaria Aurora',
    email: 'ana@aurora.example',
  } as const
  await makeFirstCall(page, person)
  await addHistory()
  await page.getByRole('link', { name: 'Overview' }).first().click()
  await take(page, 'phone')
  await page.getByRole('button', { name: phoneWords.en.hangUp, exact: true }).first().click()
  await page.getByRole('button', { name: phoneWords.en.hangUp }).waitFor({ state: 'detached' })
  await open(page, '/console/overview', 'overview')
  await open(page, '/console/calls', 'history')
  await page.locator('tbody a').first().click()
  await page.getByRole('button', { name: 'Play' }).waitFor()
  await take(page, 'call')
  await open(page, '/console/reports', 'reports')
  await open(page, '/operator', 'operator')
  const state = await context.storageState()
  const narrow = { locale: 'pt-BR', colorScheme: 'dark', width: 390 } as const
  const telephone = await openConsole(browser, app.url, narrow)
  await telephone.context.addCookies(state.cookies)
  await open(telephone.page, '/console/overview', 'telephone')
} finally {
  await browser.close()
  await app.stop()
  rmSync(dataDir, { recursive: true })
}

async function open(page: Page, path: string, name: string) {
  await page.goto(path)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await take(page, name)
}

/** When nothing loads any more; WebP is a third of PNG. */
async function take(page: Page, name: string) {
  await page.locator('.skeleton').first().waitFor({ state: 'detached' })
  await sleep(500)
  const session = await page.context().newCDPSession(page)
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 80 })
  writeFileSync(join(folder, `${name}.webp`), Buffer.from(data, 'base64'))
  await session.detach()
}

/** Two weeks of calls, the same ones each time. */
async function addHistory() {
  const { db } = app.services.base.store
  const accountId = await accountIdOf(db, fullDomain)
  const day = 86_400_000
  const calls = Array.from({ length: 240 }, (_, index): CallFields => {
    const started = new Date(Date.now() - 3_600_000 - Math.floor((index * 13.7 * day) / 240))
    const seconds = (index * 37) % 400
    const person = { from_number: `100${index % 3}`, first_name: ['Ana', 'Bia', 'Caio'][index % 3] ?? '' }
    const common = {
      ...person,
      domain: fullDomain,
      started_at: started,
      to_number: `554899${String(1_000_000 + ((index * 7_919) % 8_999_999))}`,
    }
    if (index % 4 === 3) return { ...common, ended_at: new Date(started.getTime() + 25_000) }
    return {
      ...common,
      status: 'completed',
      hangup_cause: 'NORMAL_CLEARING',
      answered_at: new Date(started.getTime() + 9_000),
      ended_at: new Date(started.getTime() + 9_000 + seconds * 1000),
      duration: seconds,
      minute_price: 1_200,
      call_price: Math.ceil(seconds / 60) * 12,
    }
  })
  await insertCalls(db, accountId, calls)
}
