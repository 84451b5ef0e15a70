/** D582: `npm run site` writes the same pages as files, whose links lead to files. */
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ApiDocument } from '../../src/http/reference/document.ts'
import { pageNames } from '../../src/http/site/contents.ts'
import { writeStaticSite } from '../../tools/static-site.ts'
import { type Service, startService } from '../helpers/service/service.ts'

const folder = mkdtempSync(join(tmpdir(), 'ramal-site-'))
let service: Service
let files: string[]
beforeAll(async () => {
  service = await startService()
  const description: ApiDocument = (await service.api.get('/openapi.json')).body
  files = writeStaticSite(folder, description, 'https://voz.example')
})
afterAll(async () => {
  await service.stop()
  rmSync(folder, { recursive: true, force: true })
})

test('every link of a page leads to a file, and those to the service to its address', () => {
  const pages = globSync('**/*.html', { cwd: folder })
  expect(pages.length).toBe(2 * pageNames.length)
  const dead = pages.flatMap((page) => {
    const html = readFileSync(join(folder, page), 'utf8')
    return [...html.matchAll(/ (?:href|src)="([^"#]+)(?:#[^"]*)?"/g)]
      .map(([, href = '']) => href)
      .filter((href) => !/^(data:|https:\/\/voz\.example\/)/.test(href))
      .filter((href) => !existsSync(join(folder, dirname(page), href)))
      .map((href) => `${page}: ${href}`)
  })
  expect(dead).toEqual([])
})

test('has the pages of the service, which name the address of the service', async () => {
  const start = readFileSync(join(folder, 'start.html'), 'utf8')
  expect(start).toContain('host=https://voz.example\n')
  const served = await (await fetch(`${service.url}/docs/start.md`)).text()
  expect(readFileSync(join(folder, 'start.md'), 'utf8')).toBe(
    served.replaceAll(service.url, 'https://voz.example'),
  )
  expect(files).toContain('search.json')
})

test('sends no token anywhere: its reference has no form to try an operation', () => {
  const reference = readFileSync(join(folder, 'en/reference.html'), 'utf8')
  expect(reference).toContain('id="postCalls"')
  expect(reference).not.toContain('<script>')
})
