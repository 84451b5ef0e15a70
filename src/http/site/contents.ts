/** D577: the pages of the documentation in their order, and the addresses they have in each language. */
import { posix } from 'node:path'
import type { Language, Translated } from '../../kit/text/language.ts'

type Group = { title: Translated<string>; pages: readonly string[] }

export const homePage = 'index'
/** Made from the API description, not from a file. */
export const referenceName = 'reference'

export const groups: readonly Group[] = [
  { title: { pt: 'Comece aqui', en: 'Begin here' }, pages: [homePage, 'start'] },
  {
    title: { pt: 'Conceitos', en: 'Concepts' },
    pages: ['concepts/calls', 'concepts/webhooks', 'concepts/fleet'],
  },
  {
    title: { pt: 'Para programar', en: 'For developers' },
    pages: ['guides/sandbox', 'guides/clients', 'guides/samples', 'guides/assistants'],
  },
  {
    title: { pt: 'Guias', en: 'Guides' },
    pages: [
      'guides/softphones',
      'guides/desk-phone',
      'guides/browser-phone',
      'guides/webhooks',
      'guides/filters',
      'guides/payments',
      'guides/numbers',
      'guides/fleet',
      'guides/security',
      'guides/moving',
    ],
  },
  {
    title: { pt: 'Referência', en: 'Reference' },
    pages: [referenceName, 'errors', 'limits', 'changelog'],
  },
]

export const pageNames = groups.flatMap(({ pages }) => pages)

/** Portuguese is at the root, since it is the language of most readers. */
const folders: Translated<string> = { pt: '', en: 'en/' }

/** Path of a page below `/docs/`, without the ending of its file. */
export const pathOf = (language: Language, name: string) => `${folders[language]}${name}`

/** Where a page is: at its path without an ending in the service, in a file of HTML as a static site. */
export type Endings = '' | '.html'

/** Relative link from one path to another. A page of contents is its folder. */
export function linkBetween(from: string, to: string, ending: Endings): string {
  const path = posix.relative(posix.dirname(from), to)
  if (posix.basename(path) !== homePage || ending !== '') return `${path}${ending}`
  const folder = posix.dirname(path)
  return folder === '.' ? './' : `${folder}/`
}

/** Relative link to a file that is no page. */
export const linkToFile = (from: string, file: string) => posix.relative(posix.dirname(from), file)

/** Links between the Markdown files are links between the pages. */
export function pageLink(href: string, ending: Endings): string {
  const [, path = '', anchor = ''] = /^([^:#]*)\.md(#.*)?$/.exec(href) ?? []
  if (path === '') return href
  if (ending !== '' || !/(^|\/)index$/.test(path)) return `${path}${ending}${anchor}`
  return `${path.slice(0, -homePage.length) || './'}${anchor}`
}
