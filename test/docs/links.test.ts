/** Links between the documents: each leads to a file, and to a heading if it names one. */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { anchorsOf } from '../../tools/decision-pages.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const documents = globSync(['*.md', 'docs/**/*.md', 'clients/*.md', 'clients/*/*.md'], { cwd: root })
const anchors = new Map(
  documents.map((document) => [
    join(root, document),
    new Set(anchorsOf(readFileSync(join(root, document), 'utf8'))),
  ]),
)

test.each(documents)('every link in %s leads to a file and a heading that are there', (document) => {
  const text = readFileSync(join(root, document), 'utf8')
  const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link = '']) => link)
    .filter((link) => !/^(https?|mailto):/.test(link))
  expect(links.filter((link) => !leadsSomewhere(document, link))).toEqual([])
})

function leadsSomewhere(document: string, link: string): boolean {
  const [path = '', anchor] = link.split('#')
  const target = join(root, path === '' ? document : join(dirname(document), path))
  return existsSync(target) && (anchor === undefined || anchors.get(target)?.has(anchor) === true)
}
