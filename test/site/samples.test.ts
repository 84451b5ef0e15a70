/** D644: samples on the pages of both languages are the same programs. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { commentsOf } from '../../src/http/site/sample-comments.ts'
import { readPage } from '../../src/http/site/source.ts'
import { blocksOf, written } from './pages.ts'

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
const url = 'http://localhost:3000'
const portuguese: Record<string, string> = JSON.parse(read('site/pt-BR/sample-comments.json'))
const comments = new Set<string>()

for (const name of written) {
  const samples = blocksOf(readPage('pt', name, url)).filter(({ info }) => info.includes(' file='))
  for (const { info, code } of samples) {
    const file = info.replace(/.* file=/, '')
    for (const comment of commentsOf(read(file))) comments.add(comment)

    test(`${file} differs on the Portuguese page ${name} only by comments, and on the English one by nothing`, () => {
      const translated = commentsOf(read(file)).reduce(
        (text, comment) => text.replace(comment, portuguese[comment] ?? comment),
        read(file),
      )
      expect(code).toBe(translated)
      expect(blocksOf(readPage('en', name, url))).toContainEqual({ info, code: read(file) })
    })
  }
}

test('every comment of a sample is translated, and no translation is left over', () => {
  expect([...comments].filter((comment) => portuguese[comment] === undefined)).toEqual([])
  expect(Object.keys(portuguese).filter((comment) => !comments.has(comment))).toEqual([])
})
