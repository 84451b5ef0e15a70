/** D540: the reference of the API as Markdown, whole and by section, for programs that read text. */
import { errorCatalogue } from '../../../contract/error-catalogue.ts'
import { errorCodes } from '../../../contract/errors.ts'
import type { Language } from '../../../kit/text/language.ts'
import type { ApiDocument, Schema } from '../document.ts'
import { nameOf, type Section, sectionsOf, usualCodes } from '../document-parts.ts'
import { type ReferenceWords, referenceWords } from '../words.ts'
import { operationMarkdown, paragraphs, webhookMarkdown } from './operation-markdown.ts'
import { fieldRows, table } from './tables.ts'

export function referenceMarkdown(document: ApiDocument, language: Language = 'en'): string {
  const words = referenceWords[language]
  const sections = sectionsOf(document).map((section) => sectionParts(document, section, words))
  const names = Object.keys(document.components.schemas)
  return page([
    ...introduction(document, words),
    ...sections,
    records(document, names, words),
    errors(document, language),
  ])
}

/** One section, with the records that it refers to. */
export function sectionMarkdown(document: ApiDocument, tag: string): string {
  const section = sectionsOf(document).filter(({ name }) => name === tag)
  const names = section.flatMap((one) => recordsIn(document, one))
  const words = referenceWords.en
  const parts = section.map((one) => sectionParts(document, one, words))
  return page([
    ...introduction(document, words),
    ...parts,
    records(document, names, words),
    errors(document, 'en'),
  ])
}

const page = (parts: string[]) => `${paragraphs(parts)}\n`

function introduction({ info, servers }: ApiDocument, words: ReferenceWords): string[] {
  const base = servers[0]?.url ?? ''
  return [`# ${info.title} API ${info.version}`, info.description, `${words.baseUrl}: \`${base}\``]
}

function sectionParts(
  document: ApiDocument,
  { name, about, operations, webhooks }: Section,
  words: ReferenceWords,
): string {
  return paragraphs([
    `## ${name}`,
    about,
    webhooks.length > 0 ? webhookHeaders(document, words) : '',
    ...webhooks.map(({ type, operation }) => webhookMarkdown(document, type, operation, words)),
    ...operations.map((shown) => operationMarkdown(document, shown, words)),
  ])
}

function webhookHeaders({ components }: ApiDocument, { columns }: ReferenceWords): string {
  const rows = Object.values(components.parameters)
    .filter(({ name }) => name.startsWith('webhook-'))
    .map(({ name, description = '', example }) => [`\`${name}\``, description, `\`${example}\``])
  return table([columns.header, columns.about, columns.example], rows)
}

function records({ components }: ApiDocument, names: string[], words: ReferenceWords): string {
  const shown = names.toSorted().map((name) => {
    const schema = components.schemas[name] ?? {}
    const { properties: { error = {} } = {} } = schema
    const fields = fieldRows(name === 'Error' ? error : schema, words)
    return paragraphs([`### ${name}`, schema.description ?? '', fields])
  })
  return shown.length === 0 ? '' : paragraphs([`## ${words.records}`, ...shown])
}

/** Every record that the section's bodies refer to, and those refer to. */
function recordsIn({ components }: ApiDocument, { operations, webhooks }: Section): string[] {
  const found = new Set<string>()
  const wanted: unknown[] = [...operations, ...webhooks].map(({ operation }) => operation)
  for (const part of wanted) {
    for (const [, reference = ''] of JSON.stringify(part ?? {}).matchAll(
      /"#\/components\/schemas\/(\w+)"/g,
    )) {
      if (found.has(reference)) continue
      found.add(reference)
      wanted.push(components.schemas[nameOf(reference)] as Schema)
    }
  }
  return [...found]
}

function errors(document: ApiDocument, language: Language): string {
  const words = referenceWords[language]
  const { code: codeTitle, status, message: messageTitle } = words.columns
  const rows = errorCodes.map((code) => {
    const [statusCode, , message] = errorCatalogue[code]
    return [`\`${code}\``, String(statusCode), message[language]]
  })
  const usual = `${words.anyOperation} ${usualCodes(document)}.`
  return paragraphs([`## ${words.errors}`, usual, table([codeTitle, status, messageTitle], rows)])
}
