/** The language of what an answer says (D158): English for clients that compare texts, Portuguese when preferred. */
import type { IncomingHttpHeaders } from 'node:http'
import { inEveryLanguage, type Language, languageTags, preferredLanguage } from '../../kit/language.ts'

export function responseLanguage({ headers }: { headers: IncomingHttpHeaders }): Language {
  return preferredLanguage(headers['accept-language'], 'en')
}

/** On every answer whose text depends on `Accept-Language`. */
export const languageHeaders = inEveryLanguage((language) => ({
  'Content-Language': languageTags[language],
  Vary: 'Accept-Language',
}))
