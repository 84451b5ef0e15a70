/** What the pages behind mailed links share: the language, the shell, and whether a page or JSON is answered. */
import { type Language, preferredLanguage, type Translated } from '../../kit/text/language.ts'
import { escapeHtml, htmlPage } from './html.ts'

export type Headers = Record<string, string | string[] | undefined>

export const languageOf = (headers: Headers): Language =>
  preferredLanguage(String(headers['accept-language'] ?? ''), 'pt')

export function linkPage(title: string, content: string, language: Language): string {
  return htmlPage(title, `<main><h1>${title}</h1>${content}</main>`, language)
}

/** Where a person may go when a link has done its work. */
export type NextPage = { name: 'console' | 'reference'; url: string }

const nextWords: Translated<Record<NextPage['name'], string>> = {
  pt: { console: 'Entrar', reference: 'Como usar a API' },
  en: { console: 'Sign in', reference: 'How to use the API' },
}

export function nextLink({ name, url }: NextPage, language: Language): string {
  return `<p><a class="next" href="${escapeHtml(url)}">${nextWords[language][name]}</a></p>`
}

/** Browsers ask for HTML; the form of a page is answered by a page. */
export function isForPeople(headers: Headers): boolean {
  return (
    String(headers.accept).includes('text/html') ||
    String(headers['content-type']).startsWith('application/x-www-form-urlencoded')
  )
}
