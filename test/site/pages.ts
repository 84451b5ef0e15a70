/** The documentation as its source files, for tests. */
import { readFileSync } from 'node:fs'
import { pageNames, referenceName } from '../../src/http/site/contents.ts'

export const folders = ['pt-BR', 'en'] as const
export type Folder = (typeof folders)[number]

/** Names of the pages that are files. */
export const written = pageNames.filter((name) => name !== referenceName)

export const readSource = (folder: Folder, name: string) =>
  readFileSync(new URL(`../../site/${folder}/${name}.md`, import.meta.url), 'utf8')

type Block = { info: string; code: string }

export function blocksOf(markdown: string): Block[] {
  return [...markdown.matchAll(/^```(.*)\n([\s\S]*?)^```$/gm)].map(([, info = '', code = '']) => ({
    info,
    code,
  }))
}
