/** The two languages of everything a person may read, and which one a request prefers. */
export type Language = 'en' | 'pt'

/** One text, or one object of texts, in every language: a missing translation does not compile. */
export type Translated<T> = Record<Language, T>

/** The tags of `Content-Language`: what we write is Brazilian. */
export const languageTags: Translated<string> = { en: 'en', pt: 'pt-BR' }

/** Makes one text, or one object of texts, for every language. */
export function inEveryLanguage<T>(make: (language: Language) => T): Translated<T> {
  return { en: make('en'), pt: make('pt') }
}

/** The language that `Accept-Language` (RFC 9110, 12.5.4) ranks first among ours; the first named wins a tie. */
export function preferredLanguage(header: string | undefined, fallback: Language): Language {
  let best: { language: Language; quality: number } | undefined
  for (const range of (header ?? '').split(',')) {
    const [tag = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
    const language = languageOf(tag)
    if (!language) continue
    const weight = parameters.find((parameter) => parameter.startsWith('q='))
    const quality = weight === undefined ? 1 : Number(weight.slice(2))
    if (quality > (best?.quality ?? 0)) best = { language, quality }
  }
  return best?.language ?? fallback
}

function languageOf(tag: string): Language | undefined {
  const [primary] = tag.split('-')
  return primary === 'en' || primary === 'pt' ? primary : undefined
}
