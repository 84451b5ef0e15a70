/**
 * D670: how long the console takes to answer a click or a key, from the event to its frame, on a CPU four times slower: in an
 * account of 10,000 calls, 500 users and 300 extensions while 200 calls are live. Chromium with its default settings.
 */
import type { Browser, Page } from 'playwright-core'
import { shellWords } from '../console/shell/words.ts'
import { commonWords } from '../console/words/common.ts'
import { openConsole, startChromium, typePassword } from '../test/console/console-browser.ts'
import { createDesk, type Desk, fillDesk, withLiveCalls } from './parts/console/desk-account.ts'
import { click, exercise, type Interaction, meter, readInteractions } from './parts/console/interactions.ts'
import { places } from './parts/console/places.ts'
import { inFolder, password, type Service, startService } from './parts/service.ts'
import type { Result } from './parts/table.ts'

const cpuSlowdown = 4
const rounds = Number(process.env.BENCH_ROUNDS ?? 2)
const maxMs = 100
const look = { locale: 'en-GB', colorScheme: 'light', width: 1280 } as const
const words = { ...commonWords.en, ...shellWords.en }

type Found = Map<string, Interaction[]>

export async function consoleInteractions(): Promise<Result[]> {
  const browser = await startChromium()
  try {
    return await inFolder(async (folder) => {
      const desk = await createDesk(folder)
      const service = await startService({ folder, env: { CONSOLE: 'on', RATE_LIMITS: 'off' } })
      try {
        await fillDesk(service, desk)
        return report(await withLiveCalls(service, () => visitAll(browser, service, desk)))
      } finally {
        await service.stop()
      }
    })
  } finally {
    await browser.close()
  }
}

async function visitAll(browser: Browser, { url }: Service, { email }: Desk): Promise<Found> {
  const { context, page } = await openConsole(browser, url, look)
  await context.addInitScript(meter)
  await untilBuilt(url)
  await page.goto('/console')
  await typePassword(page, words, password, email)
  await page.getByRole('navigation').first().waitFor()
  const devtools = await context.newCDPSession(page)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: cpuSlowdown })
  const found: Found = new Map()
  const add = async (name: string) =>
    found.set(name, [...(found.get(name) ?? []), ...(await readInteractions(page))])
  for (let round = 0; round < rounds; round += 1) {
    for (const { path, name } of await placesOf(page)) {
      await add('(between pages)')
      await open(page, path)
      await readInteractions(page)
      await exercise(page)
      await add(name)
    }
    for (const { name, isLinked } of places) {
      if (!isLinked) continue
      await click(page, page.getByRole('navigation').first().getByRole('link', { name, exact: true }))
      await page.waitForTimeout(500)
    }
    await add('(between pages)')
  }
  return found
}

/** Pages with an id in their address are those of the newest call and the first integration. */
async function placesOf(page: Page) {
  const first = async (path: string) => {
    const { data = [], ...rest } = (await page.evaluate(
      `fetch('/api/v1${path}').then((answer) => answer.json())`,
    )) as { data?: { id: string }[] }
    return data[0]?.id ?? (rest as { id: string }[])[0]?.id
  }
  const ids: Record<string, string | undefined> = {
    '/calls/:id': await first('/calls?page=1'),
    '/integrations/:id': await first('/integrations'),
  }
  return places.map(({ path, name }) => ({ path: path.replace(':id', ids[path] ?? ''), name }))
}

async function open(page: Page, path: string) {
  await page.goto(`/console${path}`)
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await page.waitForTimeout(1_500)
}

function report(found: Found): Result[] {
  const all = [...found].map(([name, interactions]) => resultOf(name, interactions))
  return [...all, { ...resultOf('all', [...found.values()].flat()), target: { below: maxMs } }]
}

function resultOf(name: string, interactions: Interaction[]): Result {
  const sorted = interactions.toSorted((one, other) => one.ms - other.ms)
  const at = (share: number) => sorted[Math.ceil(share * sorted.length) - 1]?.ms ?? 0
  const last = sorted.at(-1)
  const figures = `n ${sorted.length}, p50 ${at(0.5)}, p95 ${at(0.95)}, max ${last?.ms ?? 0} ms`
  const slowest = last && last.ms >= maxMs ? ` (${last.what})` : ''
  return {
    name: `console, ${name}`,
    measured: `${figures}${slowest}`,
    baseline: '',
    values: [at(0.95)],
    unit: 'ms',
  }
}

/** The first start builds the console. */
async function untilBuilt(url: string) {
  while ((await fetch(`${url}/console`)).status !== 200) await new Promise((done) => setTimeout(done, 200))
}
