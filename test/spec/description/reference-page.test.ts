/** The reference of the API (D166): our own page, small, strict, and readable without scripts. */
import { gunzipSync } from 'node:zlib'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startChromium } from '../../console/console-browser.ts'
import { programMissing } from '../../helpers/programs/programs.ts'
import { openAccount } from '../../helpers/service/people.ts'
import { type Service, startService } from '../../helpers/service/service.ts'

/** A browser is slow on two busy cores. */
const patience = { timeout: 120_000 }

const reference = '/docs/en/reference'

let service: Service

beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

async function load(path: string, headers: Record<string, string> = {}) {
  const answer = await fetch(`${service.url}${path}`, { headers })
  return { answer, text: await answer.text() }
}

test('allows no script, style or request but its own', async () => {
  const { answer, text } = await load(reference)
  expect(answer.status).toBe(200)
  const policy = answer.headers.get('content-security-policy') ?? ''
  expect(policy).toContain("default-src 'none'")
  expect(policy).not.toMatch(/unsafe|https?:|\*/)
  expect(text).not.toMatch(/ (?:src|href)="(?:https?:)?\/\//)
  expect(text).not.toMatch(/ (?:style|on\w+)="/)
})

test('page and description together are transferred in less than 95 kB, and again in none', async () => {
  const zipped = { 'accept-encoding': 'gzip' }
  const parts = await Promise.all([reference, '/api/v1/openapi.json'].map((path) => load(path, zipped)))
  const sizes = parts.map(({ answer }) => Number(answer.headers.get('content-length')))
  expect(sizes.every((size) => size > 5_000)).toBe(true)
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(95_000)
  const etag = parts[0]?.answer.headers.get('etag') ?? ''
  const again = await load(reference, { 'if-none-match': etag })
  expect([again.answer.status, again.text]).toEqual([304, ''])
})

test('is the same text compressed and not', async () => {
  const plain = await load(reference, { 'accept-encoding': 'identity' })
  const { hostname, port } = new URL(service.url)
  const { get } = await import('node:http')
  const bytes = await new Promise<Buffer>((resolve) => {
    get({ hostname, port, path: reference, headers: { 'accept-encoding': 'gzip' } }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk) => chunks.push(chunk)).on('end', () => resolve(Buffer.concat(chunks)))
    })
  })
  expect(gunzipSync(bytes).toString()).toBe(plain.text)
})

test('shows every operation, every webhook and every record', async () => {
  const { text } = await load(reference)
  const { paths, webhooks, components } = JSON.parse((await load('/api/v1/openapi.json')).text)
  const items = [...Object.values(paths), ...Object.values(webhooks)] as Record<
    string,
    { operationId: string }
  >[]
  const ids = items.flatMap((item) => Object.values(item).map(({ operationId }) => operationId))
  for (const id of [...ids, ...Object.keys(components.schemas)]) expect(text).toContain(` id="${id}"`)
  const targets = [...text.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id)
  for (const id of targets) expect(text, `#${id} leads nowhere`).toContain(`id="${id}"`)
  expect(text.match(/\bD\d+\b|swagger/gi)).toBe(null)
})

describe.skipIf(programMissing('chromium'))('in a browser', patience, () => {
  let browser: Browser

  beforeAll(async () => {
    browser = await startChromium()
  })
  afterAll(() => browser?.close())

  async function open(width: number, scripts = true) {
    const context = await browser.newContext({ viewport: { width, height: 900 }, javaScriptEnabled: scripts })
    const page = await context.newPage()
    const problems: string[] = []
    page.on('console', (message) => {
      if (message.type() === 'error') problems.push(message.text())
    })
    const requested: string[] = []
    page.on('request', (request) => requested.push(new URL(request.url()).pathname))
    await page.goto(`${service.url}${reference}`)
    return { page, problems, requested }
  }

  const tallest = (page: Page) =>
    page.evaluate<number>(
      "Math.max(...[...document.querySelectorAll('article')].map((article) => article.offsetHeight))",
    )

  test('no operation is taller than one and a half screens, and nothing is wider than a phone', async () => {
    const desk = await open(1280)
    expect(await tallest(desk.page)).toBeLessThan(1_350)
    expect(desk.problems).toEqual([])
    expect(desk.requested.filter((path) => !path.startsWith('image/'))).toEqual([reference])
    const phone = await open(360)
    expect(await phone.page.evaluate('document.documentElement.scrollWidth > innerWidth')).toBe(false)
    const plain = await open(1280, false)
    await plain.page.locator('#postCalls').scrollIntoViewIfNeeded()
    expect(await plain.page.locator('#postCalls pre').first().isVisible()).toBe(true)
    expect(await plain.page.locator('#find').isVisible()).toBe(false)
  })

  test('an operation can be found and tried, and the token is kept nowhere', async () => {
    const admin = await openAccount(service)
    const { page, problems } = await open(1280)
    await page.fill('#find', 'GET /users/me')
    expect(await page.locator('#postCalls').isVisible()).toBe(false)
    await page.fill('#token', admin.token)
    const me = page.locator('#getUsersMe')
    await me.getByText('Try it').click()
    await me.getByText('Send GET').click()
    await expect.poll(() => me.locator('.try pre').textContent()).toContain(admin.email)
    const kept = await page.evaluate('localStorage.length + sessionStorage.length + document.cookie.length')
    expect([kept, problems]).toEqual([0, []])
  })
})
