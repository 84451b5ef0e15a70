/** D644: comments of the samples in Portuguese. The code of a sample exists once; its comments are looked up. */

/** Portuguese by the English text. */
export type CommentTranslations = Record<string, string>

/** Line comments, block comments and docstrings of the languages of the samples: opening, text, closing. */
const comment = /((?:^ *|\s)(?:\/\/|#|\/\*\*?|"""|<!--) ?|^ *\*+ )([^!/*\s].*?)( ?\*\/|"""| -->)?$/gm

export function commentsOf(code: string): string[] {
  return [...code.matchAll(comment)].map(([, , text = '']) => text)
}

/** A comment without a translation stays in English. */
export function translateComments(code: string, translations: CommentTranslations): string {
  return code.replaceAll(
    comment,
    (_comment, opening: string, text: string, closing = '') =>
      `${opening}${translations[text] ?? text}${closing}`,
  )
}
