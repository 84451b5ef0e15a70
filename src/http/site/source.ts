/** The Markdown of a page as it is served: the file, with the parts filled in that are made from the code or taken from tested files. */
import { readFileSync } from 'node:fs'
import { type Language, languageTags } from '../../kit/text/language.ts'
import { causesPart } from './parts/causes.ts'
import { changelogPart } from './parts/changelog.ts'
import { errorsPart } from './parts/errors.ts'
import { eventsPart } from './parts/events.ts'
import { firstCallPart } from './parts/first-call.ts'
import { limitsPart } from './parts/limits.ts'
import { type CommentTranslations, translateComments } from './sample-comments.ts'

const root = new URL('../../../', import.meta.url)
export const readRepositoryFile = (path: string) => readFileSync(new URL(path, root), 'utf8')

/** By the name in a comment that stands alone on its line. */
const parts: Record<string, (language: Language) => string> = {
  causes: causesPart,
  errors: errorsPart,
  limits: limitsPart,
  events: eventsPart,
  changelog: () => changelogPart(readRepositoryFile('CHANGELOG.md')),
  first_call_js: () => firstCallPart(readRepositoryFile('clients/typescript/README.md')),
  first_call_python: () => firstCallPart(readRepositoryFile('clients/python/README.md')),
  first_call_php: () => firstCallPart(readRepositoryFile('clients/php/README.md')),
}

/** The address in the files, which stands for that of the service. */
const sampleUrl = 'http://localhost:3000'

/** `publicUrl`: how the outside reaches the service. */
export function readPage(language: Language, name: string, publicUrl: string): string {
  return readRepositoryFile(`site/${languageTags[language]}/${name}.md`)
    .replaceAll(/^```(\w+) file=(\S+)\n```$/gm, (_block, code: string, file: string) => {
      return `\`\`\`${code} file=${file}\n${readSample(language, file).trimEnd()}\n\`\`\``
    })
    .replaceAll(/^<!-- (\w+) -->$/gm, (_comment, part: string) => {
      const write = parts[part]
      if (write === undefined) throw new Error(`There is no part ${part}`)
      return write(language).trim()
    })
    .replaceAll(sampleUrl, publicUrl)
}

function readSample(language: Language, file: string): string {
  const code = readRepositoryFile(file)
  if (language === 'en') return code
  const translations: CommentTranslations = JSON.parse(readRepositoryFile('site/pt-BR/sample-comments.json'))
  return translateComments(code, translations)
}
