/**
 * D577: the documentation, in Portuguese and English: every page as HTML and as Markdown at the same address, pictures,
 * an index for the search. `files` has what there is, by its path below `/docs/`; a text is made when it is asked for.
 */
import { errorCodes } from '../../contract/errors.ts'
import type { Language } from '../../kit/text/language.ts'
import { logo, sharedStyle } from '../pages/look.ts'
import type { ApiDocument } from '../reference/document.ts'
import { referenceMarkdown } from '../reference/markdown/reference-markdown.ts'
import { referencePolicy } from '../reference/page/look.ts'
import { referencePage } from '../reference/page/reference-page.ts'
import { type Translations, translateDocument } from '../reference/translated-document.ts'
import { referenceWords } from '../reference/words.ts'
import {
  type Endings,
  homePage,
  linkBetween,
  linkToFile,
  pageLink,
  pageNames,
  pathOf,
  referenceName,
} from './contents.ts'
import { draw } from './drawing.ts'
import { layOut, otherLanguage, sitePolicy } from './layout.ts'
import { renderMarkdown, type Targets } from './markdown.ts'
import { pictures } from './pictures/pictures.ts'
import { entriesOf, operationEntries } from './search-index.ts'
import { readPage, readRepositoryFile } from './source.ts'
import { siteWords } from './words.ts'

type SiteFile = { type: string; policy?: string; compose: () => string }

type Options = {
  /** The API as it is described. */
  document: ApiDocument
  /** How the outside reaches the service. */
  publicUrl: string
  ending: Endings
}

const languages: Language[] = ['pt', 'en']

export function createSite({ document, publicUrl, ending }: Options) {
  const files = new Map<string, SiteFile>()
  const isStatic = ending !== ''
  const operations = new Map<string, string>(
    Object.entries(document.paths).flatMap(([path, item]) =>
      Object.entries(item).map(
        ([method, { operationId }]) => [`${method.toUpperCase()} ${path}`, operationId] as const,
      ),
    ),
  )
  const translations = lazily(
    () => JSON.parse(readRepositoryFile('site/pt-BR/reference.json')) as Translations,
  )
  const documents: Record<Language, () => ApiDocument> = {
    pt: lazily(() => translateDocument(document, translations())),
    en: () => document,
  }
  const titles: Record<Language, () => Map<string, string>> = {
    pt: lazily(() => titlesIn('pt')),
    en: lazily(() => titlesIn('en')),
  }

  function titlesIn(language: Language): Map<string, string> {
    return new Map(pageNames.map((name) => [name, titleOf(language, name)]))
  }

  function titleOf(language: Language, name: string): string {
    if (name === referenceName) return referenceWords[language].title
    return /^# (.+)$/m.exec(markdownOf(language, name))?.[1] ?? name
  }

  function markdownOf(language: Language, name: string): string {
    if (name === referenceName) return referenceMarkdown(documents[language](), language)
    return readPage(language, name, publicUrl)
  }

  function targetsOf(language: Language, name: string): Targets {
    const from = pathOf(language, name)
    const to = (page: string, anchor: string) =>
      `${linkBetween(from, pathOf(language, page), ending)}#${anchor}`
    return {
      link: (href) => pageLink(href, ending),
      code: (text) => {
        const operation = operations.get(text)
        if (operation !== undefined) return to(referenceName, operation)
        return errorNames.has(text) && name !== 'errors' ? to('errors', text.toLowerCase()) : undefined
      },
      picture: (href) => {
        const drawing = pictures[/pictures\/(\w+)\.svg$/.exec(href)?.[1] ?? '']
        return drawing && draw(drawing, language)
      },
      note: (word) => (word === 'machine' ? siteWords[language].machine : undefined),
    }
  }

  function addReference(language: Language) {
    const path = pathOf(language, referenceName)
    const compose = () =>
      referencePage(documents[language](), language, {
        description: isStatic ? `${publicUrl}/api/v1/openapi.json` : '/api/v1/openapi.json',
        postman: isStatic ? `${publicUrl}/docs/postman.json` : '/docs/postman.json',
        markdown: linkToFile(path, `${path}.md`),
        home: linkBetween(path, pathOf(language, homePage), ending),
        other: linkBetween(path, pathOf(otherLanguage(language), referenceName), ending),
        errors: linkBetween(path, pathOf(language, 'errors'), ending),
        canTry: !isStatic,
      })
    files.set(`${path}${ending}`, { type: 'text/html', policy: referencePolicy, compose })
  }

  function addPage(language: Language, name: string) {
    const compose = () =>
      layOut({
        language,
        name,
        page: renderMarkdown(markdownOf(language, name), targetsOf(language, name)),
        titles: titles[language](),
        ending,
        ...(isStatic && { policy: sitePolicy }),
      })
    files.set(`${pathOf(language, name)}${ending}`, { type: 'text/html', policy: sitePolicy, compose })
  }

  for (const language of languages) {
    for (const name of pageNames) {
      if (name === referenceName) addReference(language)
      else addPage(language, name)
      const markdown = { type: 'text/markdown', compose: () => markdownOf(language, name) }
      files.set(`${pathOf(language, name)}.md`, markdown)
    }
    for (const [name, drawing] of Object.entries(pictures)) {
      const svg = { type: 'image/svg+xml', compose: () => draw(drawing, language, true) }
      files.set(pathOf(language, `pictures/${name}.svg`), svg)
    }
  }
  files.set('site.css', {
    type: 'text/css',
    compose: () => `${sharedStyle}\n${readRepositoryFile('site/assets/site.css')}`,
  })
  files.set('site.js', {
    type: 'text/javascript',
    compose: () => readRepositoryFile('site/assets/site.js'),
  })
  files.set('icon.svg', { type: 'image/svg+xml', compose: () => logo })
  files.set('search.json', { type: 'application/json', compose: () => JSON.stringify(searchEntries()) })

  function searchEntries() {
    return languages.flatMap((language) =>
      pageNames.flatMap((name) =>
        name === referenceName
          ? operationEntries(language, pathOf(language, name), documents[language]())
          : entriesOf(language, pathOf(language, name), markdownOf(language, name)),
      ),
    )
  }

  /** The pages to read as Markdown, with their first sentence, for programs. */
  function listMarkdown(language: Language) {
    return pageNames
      .filter((name) => name !== referenceName)
      .map((name) => {
        const text = markdownOf(language, name)
        const [about = ''] = /^[\p{L}*`].*?\.(?=\s)/msu.exec(text.replace(/^#.*$/m, '')) ?? []
        const title = titles[language]().get(name) ?? name
        return { title, path: `${pathOf(language, name)}.md`, about: about.replaceAll('\n', ' ') }
      })
  }

  return { files, listMarkdown }
}
export type Site = ReturnType<typeof createSite>

const errorNames: Set<string> = new Set(errorCodes)

function lazily<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
