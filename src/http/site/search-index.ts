/** D580: what the search in the browser reads: every part of every page below a heading, in both languages. */
import { type Language, languageTags } from '../../kit/text/language.ts'
import type { ApiDocument } from '../reference/document.ts'
import { referenceWords } from '../reference/words.ts'
import { anchorOf } from './markdown.ts'

type SearchEntry = {
  /** Tag of the language. */
  lang: string
  /** Path of the page, and its anchor. */
  path: string
  page: string
  heading: string
  text: string
}

const maxTextLength = 1_500

/** Entries of a page, from its Markdown. */
export function entriesOf(language: Language, path: string, markdown: string): SearchEntry[] {
  const page = /^# (.+)$/m.exec(markdown)?.[1] ?? ''
  // A comment in a block of code is no heading.
  return markdown
    .replaceAll(/^```[\s\S]+?^```$/gm, (block) => block.replaceAll(/^#/gm, ' #'))
    .split(/^(?=#{1,3} )/m)
    .filter((part) => part.startsWith('#'))
    .map((part) => {
      const [first = '', ...lines] = part.split('\n')
      const heading = first.replace(/^#+ /, '')
      const anchor = first.startsWith('# ') ? '' : `#${anchorOf(heading)}`
      return {
        lang: languageTags[language],
        path: `${path}${anchor}`,
        page: plainText(page),
        heading: plainText(heading),
        text: plainText(lines.join(' ')).slice(0, maxTextLength),
      }
    })
}

/** Entries of the reference, one for each operation. */
export function operationEntries(language: Language, path: string, { paths }: ApiDocument): SearchEntry[] {
  return Object.entries(paths).flatMap(([route, item]) =>
    Object.entries(item).map(([method, { operationId, summary, description = '' }]) => ({
      lang: languageTags[language],
      path: `${path}#${operationId}`,
      page: referenceWords[language].title,
      heading: `${method.toUpperCase()} ${route}`,
      text: plainText(`${summary}. ${description}`).slice(0, maxTextLength),
    })),
  )
}

/** Words without the marks of Markdown. */
const plainText = (text: string) =>
  text
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[`*#|>]|^-+$|:?---+:?/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
