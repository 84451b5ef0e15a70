/** What the pages behind mailed links share: the language, the shell, and whether a page or JSON is answered. */
import { type Language, preferredLanguage } from '../../kit/language.ts'
import { htmlPage } from './html.ts'

export type Headers = Record<string, string | string[] | undefined>

export const languageOf = (headers: Headers): Language =>
  preferredLanguage(String(headers['accept-language'] ?? ''), 'pt')

export function linkPage(title: string, content: string, language: Language): string {
  return htmlPage(title, `<main><h1>${title}</h1>${content}</main>`, language)
}

/** Browsers ask for HTML; the form of a page is answered by a page. */
export function isForPeople(headers: Headers): boolean {
  return (
    String(headers.accept).includes('text/html') ||
    String(headers['content-type']).startsWith('application/x-www-form-urlencoded')
  )
}
