/** A page of the documentation around its content: navigation, language, search. All of it but the search works without scripts. */
import { type Language, languageTags } from '../../kit/text/language.ts'
import { escapeHtml } from '../pages/html.ts'
import { logo } from '../pages/look.ts'
import { type Endings, groups, homePage, linkBetween, linkToFile, pageNames, pathOf } from './contents.ts'
import type { Rendered } from './markdown.ts'
import { siteWords } from './words.ts'

export const otherLanguage = (language: Language): Language => (language === 'pt' ? 'en' : 'pt')

type Layout = {
  language: Language
  name: string
  page: Rendered
  /** Titles of every page in this language. */
  titles: Map<string, string>
  ending: Endings
  /** For a static site, whose server sends no header. */
  policy?: string
}

/** D578: files of this service only. */
export const sitePolicy = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "form-action 'none'",
  "base-uri 'none'",
].join('; ')

export function layOut({ language, name, page, titles, ending, policy }: Layout): string {
  const words = siteWords[language]
  const path = pathOf(language, name)
  const link = (to: string) => linkBetween(path, pathOf(language, to), ending)
  const file = (to: string) => linkToFile(path, to)
  const other = otherLanguage(language)
  const otherLink = linkBetween(path, pathOf(other, name), ending)
  const title = name === homePage ? `Ramal: ${words.name}` : `${page.title} · Ramal`
  const menu = groups.map(({ title: group, pages }) => {
    const items = pages.map((to) => {
      const current = to === name ? ' aria-current="page"' : ''
      return `<li><a href="${link(to)}"${current}>${escapeHtml(titles.get(to) ?? to)}</a></li>`
    })
    return `<p>${group[language]}</p><ul>${items.join('')}</ul>`
  })
  return `<!doctype html>
<html lang="${languageTags[language]}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${policy === undefined ? '' : `<meta http-equiv="Content-Security-Policy" content="${escapeHtml(policy)}">\n`}<title>${escapeHtml(title)}</title>
<link rel="icon" href="${file('icon.svg')}" type="image/svg+xml">
<link rel="stylesheet" href="${file('site.css')}">
<link rel="alternate" hreflang="${languageTags[other]}" href="${otherLink}">
<link rel="alternate" type="text/markdown" href="${file(`${path}.md`)}">
<script src="${file('site.js')}" defer></script>
</head>
<body data-nothing="${words.nothing}" data-other="${words.inOther}" data-copy="${words.copy}" data-copied="${words.copied}" data-ending="${ending}" data-page="${name}">
<a class="skip" href="#content">${words.skip}</a>
<header>
<a class="brand" href="${link(homePage)}">${logo} Ramal <span>${words.name}</span></a>
<div class="search" role="search" hidden><input type="search" placeholder="${words.search}" aria-label="${words.search}" autocomplete="off"><div class="found" aria-live="polite"></div></div>
<a href="${otherLink}" hreflang="${languageTags[other]}" lang="${languageTags[other]}">${words.other}</a>
<a href="${file(`${path}.md`)}" type="text/markdown">${words.markdown}</a>
</header>
<div class="frame">
<nav aria-label="${words.menu}"><details open><summary>${words.menu}</summary>${menu.join('')}</details></nav>
<main id="content"><article>
${page.html}</article>
${turning(name, titles, link, words)}
</main>
${tableOfContents(page, words.onThisPage)}
</div>
</body>
</html>
`
}

type Turning = { previous: string; next: string }

/** The pages before and after this one. */
function turning(
  name: string,
  titles: Map<string, string>,
  link: (to: string) => string,
  words: Turning,
): string {
  const at = pageNames.indexOf(name)
  const part = (to: string | undefined, word: string) =>
    to === undefined
      ? ''
      : `<a href="${link(to)}"><small>${word}</small> ${escapeHtml(titles.get(to) ?? to)}</a>`
  return `<div class="turning">${part(pageNames[at - 1], words.previous)}${part(pageNames[at + 1], words.next)}</div>`
}

/** Empty where there is little to choose from. */
function tableOfContents({ headings }: Rendered, title: string): string {
  const items = headings
    .filter(({ depth }) => depth === 2)
    .map(({ id, text }) => `<li><a href="#${id}">${escapeHtml(text)}</a></li>`)
  if (items.length < 3) return ''
  return `<aside aria-label="${title}"><p>${title}</p><ul>${items.join('')}</ul></aside>`
}
