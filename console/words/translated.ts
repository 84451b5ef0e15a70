/** The two languages of the console. */
export type Language = 'pt' | 'en'

/** The same words in both languages: a missing one does not compile. */
export type Translated<T> = Record<Language, T>
