/** D577: the documentation that the service serves: complete in both languages, linked without gaps, and true. */
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { defaultBlocks, priceOf } from '../../src/billing/tariff/rate.ts'
import { settings } from '../../src/config/settings.ts'
import { shownStatuses } from '../../src/contract/calls/call-record.ts'
import { causes } from '../../src/contract/calls/causes.ts'
import { errorAdvice } from '../../src/contract/error-advice.ts'
import { errorCodes } from '../../src/contract/errors.ts'
import { scenarios } from '../../src/engine/sandbox/scenarios.ts'
import type { ApiDocument } from '../../src/http/reference/document.ts'
import { textsOf } from '../../src/http/reference/translated-document.ts'
import { type Service, startService } from '../helpers/service/service.ts'
import { blocksOf, type Folder, folders, readSource, written } from './pages.ts'

let service: Service
let description: ApiDocument
beforeAll(async () => {
  service = await startService()
  description = (await service.api.get('/openapi.json')).body
})
afterAll(() => service.stop())

const site = fileURLToPath(new URL('../../site/', import.meta.url))
const loaded = new Map<string, Promise<{ status: number; type: string; policy: string; text: string }>>()

/** Each address once. */
function load(path: string) {
  const known = loaded.get(path) ?? fetchText(path)
  loaded.set(path, known)
  return known
}

async function fetchText(path: string) {
  const answer = await fetch(`${service.url}${path}`, { redirect: 'manual' })
  return {
    status: answer.status,
    type: answer.headers.get('content-type') ?? '',
    policy: answer.headers.get('content-security-policy') ?? '',
    text: await answer.text(),
  }
}

/** Every address that can be reached by links from the two home pages, with the links that lead nowhere. */
async function crawl() {
  const seen = new Set<string>(['/docs/', '/docs/en/'])
  const dead: string[] = []
  for (const path of seen) {
    const { status, type, text } = await load(path)
    if (status !== 200) dead.push(path)
    if (!type.startsWith('text/html')) continue
    for (const [, href = ''] of text.matchAll(/ (?:href|src)="([^"]+)"/g)) {
      if (href.startsWith('data:')) continue
      const target = new URL(href.replaceAll('&#38;', '&'), `${service.url}${path}`)
      if (target.origin !== service.url) dead.push(`${path} leads outside: ${href}`)
      else seen.add(target.pathname)
      const anchor = decodeURIComponent(target.hash.slice(1))
      const { text: page } = await load(target.pathname)
      if (anchor !== '' && !page.includes(` id="${anchor}"`)) dead.push(`${path}: ${href}`)
    }
  }
  return { seen, dead }
}

test('both languages have the same pages, and no file is left out of the contents', () => {
  for (const folder of folders) {
    const files = globSync('**/*.md', { cwd: `${site}${folder}` }).map((file) => file.replace(/\.md$/, ''))
    expect(files.toSorted()).toEqual([...written].sort())
  }
  const shapes = folders.map((folder) =>
    written
      .filter((name) => name !== 'changelog')
      .map((name) => [name, readSource(folder, name).match(/^#+ /gm)?.join('')]),
  )
  expect(shapes[0]).toEqual(shapes[1])
})

test('every link leads to a page and an anchor that are there, and every page can be reached', async () => {
  const { seen, dead } = await crawl()
  expect(dead).toEqual([])
  const expected = ['', 'en/'].flatMap((folder) =>
    [...written, 'reference'].flatMap((name) => [
      `/docs/${folder}${name === 'index' ? '' : name}`,
      `/docs/${folder}${name}.md`,
    ]),
  )
  expect(expected.filter((path) => !seen.has(path))).toEqual([])
}, 60_000)

test('a page in Markdown links to pages in Markdown that are there', async () => {
  for (const folder of ['', 'en/']) {
    for (const name of written) {
      const path = `/docs/${folder}${name}.md`
      const { text, type } = await load(path)
      expect(type).toBe('text/markdown; charset=utf-8')
      expect(text, path).not.toContain('<!--')
      const links = [...text.matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)].map(([, link = '']) => link)
      for (const link of links) {
        const { pathname } = new URL(link, `${service.url}${path}`)
        expect((await load(pathname)).status, `${path}: ${link}`).toBe(200)
      }
    }
  }
}, 60_000)

test('/docs leads to the language that the reader prefers, and an address has one spelling', async () => {
  const lead = async (path: string, language = '') => {
    const headers = { 'accept-language': language }
    const answer = await fetch(`${service.url}${path}`, { redirect: 'manual', headers })
    return [answer.status, answer.headers.get('location')]
  }
  expect(await lead('/docs')).toEqual([302, '/docs/'])
  expect(await lead('/docs', 'pt-BR,pt;q=0.9')).toEqual([302, '/docs/'])
  expect(await lead('/docs', 'en-GB')).toEqual([302, '/docs/en/'])
  expect(await lead('/docs/en')).toEqual([301, '/docs/en/'])
  expect(await lead('/docs/start/')).toEqual([301, '/docs/start'])
  expect(await lead('/docs/pt')).toEqual([301, '/docs/'])
  expect(await lead('/docs/pt-BR/')).toEqual([301, '/docs/'])
  expect(await lead('/docs/pt-BR/guides/webhooks')).toEqual([301, '/docs/guides/webhooks'])
  expect(await lead('/docs/llms.txt')).toEqual([301, '/llms.txt'])
  expect(await lead('/docs/nothing')).toEqual([404, null])
})

test('a page names its language and the other one, and loads nothing from elsewhere (D578)', async () => {
  const { text, policy } = await load('/docs/guides/webhooks')
  expect(text).toContain('<html lang="pt-BR">')
  expect(text).toContain('hreflang="en" href="../en/guides/webhooks"')
  expect(policy).toContain("default-src 'none'; style-src 'self'; script-src 'self'")
  expect(policy).toContain("frame-ancestors 'none'")
  expect(policy).not.toMatch(/unsafe|https?:|\*/)
  expect(text).not.toMatch(/ (?:style|on\w+)="|<style|<script>/)
})

test('a page is sent again only if it changed', async () => {
  const first = await fetch(`${service.url}/docs/start`)
  const headers = { 'if-none-match': first.headers.get('etag') ?? '' }
  expect((await fetch(`${service.url}/docs/start`, { headers })).status).toBe(304)
})

test('every error code says what to do, in both languages (D579)', async () => {
  for (const code of errorCodes) {
    const { en, pt } = errorAdvice[code]
    expect(en.length > 10 && pt.length > 10 && en !== pt, code).toBe(true)
  }
  for (const path of ['/docs/errors', '/docs/en/errors']) {
    const { text } = await load(path)
    expect(errorCodes.filter((code) => !text.includes(`<h3 id="${code.toLowerCase()}">`))).toEqual([])
    expect(unknownRoutes((await load(`${path}.md`)).text)).toEqual([])
  }
})

test('the page and the picture of a call have the states that the API shows, and no other (D14)', async () => {
  for (const folder of ['', 'en/']) {
    const { text } = await load(`/docs/${folder}concepts/calls.md`)
    const steps = [...text.matchAll(/^\d\. \*\*`(\w+)`\*\*/gm)].map(([, state]) => state)
    const unanswered = [...text.matchAll(/^\| `([a-z_]+)` \| (?!`)/gm)].map(([, state]) => state)
    expect([...steps, ...unanswered].sort()).toEqual(shownStatuses.toSorted())
    const { text: picture } = await load(`/docs/${folder}pictures/call.svg`)
    const drawn = [...picture.matchAll(/<text x="[^"]+" y="[^"]+">([^<]+)</g)].map(([, state]) => state)
    expect(drawn.sort()).toEqual(shownStatuses.toSorted())
  }
})

test('the guide to payments states what a call costs by the usual blocks (D40)', () => {
  const rate = { prefix: '', name: '', minutePrice: 1_200, ...defaultBlocks }
  const [free, shortest, block, next] = [3, 4, 30, 31].map((seconds) => priceOf(rate, seconds))
  expect([free, shortest, block]).toEqual([0, 6, 6])
  for (const folder of folders) {
    const text = readSource(folder, 'guides/payments')
    const reais = (centavos = 0) =>
      (centavos / 100).toLocaleString(folder, { minimumFractionDigits: 2, maximumFractionDigits: 2 })
    for (const price of [12, block, next]) expect(text).toContain(`R$ ${reais(price)}`)
    for (const seconds of Object.values(defaultBlocks)) expect(text).toMatch(new RegExp(`\\b${seconds}\\)`))
  }
})

test('every cause of an end is explained in both languages (D2)', async () => {
  for (const path of ['/docs/concepts/calls.md', '/docs/en/concepts/calls.md']) {
    const { text } = await load(path)
    const rows = [...text.matchAll(/^\| `([A-Z_]+)` \| (\d+) \| .{10,} \|$/gm)]
    expect(rows.map(([, cause, code]) => [cause, Number(code)])).toEqual(Object.entries(causes))
  }
})

test('every route is in the reference of both languages', async () => {
  const ids = Object.values(description.paths).flatMap((item) =>
    Object.values(item).map(({ operationId }) => operationId),
  )
  for (const path of ['/docs/reference', '/docs/en/reference']) {
    const { text } = await load(path)
    expect(ids.filter((id) => !text.includes(`<article id="${id}"`))).toEqual([])
  }
})

test('every text of the API description is translated, and no translation is left over (D581)', () => {
  const known = Object.keys(JSON.parse(readFileSync(`${site}pt-BR/reference.json`, 'utf8')))
  const texts = textsOf(description)
  expect([...texts].filter((text) => !known.includes(text))).toEqual([])
  expect(known.filter((text) => !texts.has(text))).toEqual([])
})

function unknownRoutes(text: string): string[] {
  return [...text.matchAll(/`(GET|POST|PATCH|PUT|DELETE|HEAD) (\/[\w/{}-]+)`/g)]
    .filter(([, method = '', path = '']) => !description.paths[path]?.[method.toLowerCase()])
    .map(([route]) => route)
}

const pages = folders.flatMap((folder) => written.map((name) => [folder, name] as const))

describe.each(pages)('%s/%s', (folder, name) => {
  const text = readSource(folder, name)

  test('names routes, settings, error codes and events that exist', () => {
    expect(unknownRoutes(text)).toEqual([])
    const words = [...text.matchAll(/`([A-Z][A-Z_]*_[A-Z_]+)(?:=[^`]*)?`/g)].map(([, word = '']) => word)
    const known = [...Object.keys(settings), ...errorCodes, ...otherWords]
    expect(words.filter((word) => !known.includes(word))).toEqual([])
  })

  test('has blocks of code that a test runs or that are marked', () => {
    for (const { info, code } of blocksOf(text)) {
      expect(info, code).toMatch(
        /^(?:sh (?:tour|run|machine|install)|js machine|\w+ file=(?:docs\/)?samples\/\S+|json|text)$/,
      )
      if (info === 'json') JSON.parse(code)
    }
  })
})

/** Causes of the end of a call, and names of the environment of `ramal`. */
const otherWords = [
  'ALLOTTED_TIMEOUT',
  'ORIGINATOR_CANCEL',
  'USER_BUSY',
  'NO_ANSWER',
  'NO_USER_RESPONSE',
  'RAMAL_URL',
  'RAMAL_TOKEN',
  // A setting of an earlier version, in the changelog.
  'LENIENT_PAGING',
]

test('the page of the sandbox lists every number of the simulated carrier, and the first page some of them (D119)', () => {
  const all = scenarios.map(({ ending }) => ending)
  for (const folder of folders) {
    const endings = (name: string) =>
      [...readSource(folder, name).matchAll(/^\| (0[\dn]{3}|outro|any other) \|/gm)].map(([, ending = '']) =>
        ending.startsWith('0') ? ending : 'nnnn',
      )
    expect(endings('guides/sandbox')).toEqual(all)
    expect(endings('start').filter((ending) => !all.includes(ending))).toEqual([])
    expect(endings('start').length).toBeGreaterThan(5)
  }
})

test('the page of limits states the defaults of the settings', () => {
  const number = (folder: Folder, name: keyof typeof settings, digits = 0) =>
    Number(settings[name].fallback).toLocaleString(folder, { minimumFractionDigits: digits })
  for (const folder of folders) {
    const text = readSource(folder, 'limits')
    const row = (first: string, second: string) => expect(text).toContain(`| ${first} | ${second} |`)
    row(number(folder, 'NEW_CALLS_PER_DAY'), number(folder, 'CALLS_PER_DAY'))
    row(`R$ ${number(folder, 'NEW_SPENDING_PER_DAY', 2)}`, `R$ ${number(folder, 'SPENDING_PER_DAY', 2)}`)
    row(number(folder, 'CALLS_PER_EXTENSION'), number(folder, 'CALLS_PER_EXTENSION'))
    row(number(folder, 'CALLS_PER_ACCOUNT'), number(folder, 'CALLS_PER_ACCOUNT'))
    expect(text).toContain(`${settings.RECORDING_DAYS.fallback} `)
  }
})

test('the Portuguese changelog has every version', () => {
  const versions = (text: string) => text.match(/^## .+$/gm)
  const changelog = readFileSync(new URL('../../CHANGELOG.md', import.meta.url), 'utf8')
  expect(versions(readSource('pt-BR', 'changelog'))).toEqual(versions(changelog))
})

test('the index of the search has every page in both languages, and is transferred in less than 100 kB', async () => {
  const answer = await fetch(`${service.url}/docs/search.json`, { headers: { 'accept-encoding': 'gzip' } })
  expect(Number(answer.headers.get('content-length'))).toBeLessThan(100_000)
  const entries: { lang: string; path: string; text: string }[] = JSON.parse(await answer.text())
  const paths = new Set(entries.map(({ path }) => path.split('#', 1)[0]))
  const expected = ['', 'en/'].flatMap((folder) =>
    [...written, 'reference'].map((name) => `${folder}${name}`),
  )
  expect([...paths].sort()).toEqual(expected.sort())
})
