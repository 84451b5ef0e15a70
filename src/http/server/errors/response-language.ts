/** The language of what an answer says (D158). */
import type { IncomingHttpHeaders } from 'node:http'
import {
  inEveryLanguage,
  type Language,
  languageTags,
  preferredLanguage,
  type Translated,
} from '../../../kit/text/language.ts'

export function responseLanguage({ headers }: { headers: IncomingHttpHeaders }): Language {
  return preferredLanguage(headers['accept-language'], 'en')
}

/**
 * D158: clients compare `message`, and browsers send `Accept-Language` by themselves: it is English for everybody, with
 * the other language beside it.
 */
export function messageIn(texts: Translated<string>, language: Language) {
  const message = texts.en
  return language === 'en' ? { message } : { message, localizedMessage: texts[language] }
}

/** On every answer whose text depends on `Accept-Language`. */
export const languageHeaders = inEveryLanguage((language) => ({
  'Content-Language': languageTags[language],
  Vary: 'Accept-Language',
}))
