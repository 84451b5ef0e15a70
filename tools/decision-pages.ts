/** Reads the pages of docs/decisions, and writes what is derived from them: the index, and links between decisions. */
import { readFileSync, writeFileSync } from 'node:fs'

const folder = new URL('../docs/decisions/', import.meta.url)
const pages = ['contract.md', 'operation.md', 'internals.md']
const beforeIndex = '## By number\n'

export type Decision = {
  number: string
  title: string
  /** Relative to docs/decisions. */
  link: string
  what: string
  why: string
  carrier: string
  test: string
}

/** A file in docs/decisions as it is, and as it has to be. */
type Page = { name: string; text: string; current: string }

export function readDecisions(): Decision[] {
  return pages.flatMap((page) => decisionsOf(page, read(page)))
}

export function derivedPages(): Page[] {
  const decisions = readDecisions()
  return ['README.md', ...pages].map((name) => {
    const text = read(name)
    const [introduction = ''] = text.split(beforeIndex, 1)
    const current =
      name === 'README.md' ? introduction + beforeIndex + indexOf(decisions) : linked(text, name, decisions)
    return { name, text, current }
  })
}

export function writeDerivedPages() {
  for (const { name, current } of derivedPages()) writeFileSync(new URL(name, folder), current)
}

/** The anchors of a document's headings, as GitHub makes them. */
export function anchorsOf(text: string): string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading))
}

function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')
}

function decisionsOf(page: string, text: string): Decision[] {
  return text.split(/^### /m).flatMap((part) => {
    const [heading = '', ...lines] = (part.split(/^## /m, 1)[0] ?? '').split('\n')
    const [, number, title = ''] = /^(D\d+) (.+)$/.exec(heading) ?? []
    if (number === undefined) return []
    const body = lines.join('\n')
    const [, what = '', why = ''] = /^\*What:\*\s(.+?)^\*Why:\*\s(.+?)^<sub>/ms.exec(body) ?? []
    const [, carrier = '', test = ''] =
      /^<sub>Code: \[(.+)\]\(.+\) · Test: \[(.+)\]\(.+\)<\/sub>$/m.exec(body) ?? []
    return [{ number, title, link: `${page}#${anchorOf(heading)}`, what, why, carrier, test }]
  })
}

function indexOf(decisions: Decision[]): string {
  const rows = decisions
    .toSorted((one, other) => Number(one.number.slice(1)) - Number(other.number.slice(1)))
    .map(({ number, title, link }) => `| [${number}](${link}) | ${title} | ${link.split('.', 1)[0]} |`)
  return ['', '| No | Decision | Page |', '|---|---|---|', ...rows, ''].join('\n')
}

/** `[D7](…)` leads to D7, whatever its target was. */
function linked(text: string, page: string, decisions: Decision[]): string {
  const links = new Map(decisions.map(({ number, link }) => [number, link]))
  return text.replaceAll(/\[(D\d+)\]\([^)]*\)/g, (link, number: string) => {
    const target = links.get(number)
    return target === undefined ? link : `[${number}](${target.replace(page, '')})`
  })
}

function read(page: string): string {
  return readFileSync(new URL(page, folder), 'utf8')
}
