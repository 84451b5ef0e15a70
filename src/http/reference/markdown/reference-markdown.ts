/** D540: the reference of the API as Markdown, whole and by section, for programs that read text. */
import { describeError, errorCodes } from '../../../contract/errors.ts'
import type { ApiDocument, Schema } from '../document.ts'
import { nameOf, type Section, sectionsOf, usualCodes } from '../document-parts.ts'
import { operationMarkdown, paragraphs, webhookMarkdown } from './operation-markdown.ts'
import { fieldRows, table } from './tables.ts'

export function referenceMarkdown(document: ApiDocument): string {
  const sections = sectionsOf(document).map((section) => sectionParts(document, section))
  const names = Object.keys(document.components.schemas)
  return page([...introduction(document), ...sections, records(document, names), errors(document)])
}

/** One section, with the records that it refers to. */
export function sectionMarkdown(document: ApiDocument, tag: string): string {
  const section = sectionsOf(document).filter(({ name }) => name === tag)
  const names = section.flatMap((one) => recordsIn(document, one))
  const parts = section.map((one) => sectionParts(document, one))
  return page([...introduction(document), ...parts, records(document, names), errors(document)])
}

const page = (parts: string[]) => `${paragraphs(parts)}\n`

function introduction({ info, servers }: ApiDocument): string[] {
  const base = servers[0]?.url ?? ''
  return [`# ${info.title} API ${info.version}`, info.description, `Base URL: \`${base}\``]
}

function sectionParts(document: ApiDocument, { name, about, operations, webhooks }: Section): string {
  return paragraphs([
    `## ${name}`,
    about,
    webhooks.length > 0 ? webhookHeaders(document) : '',
    ...webhooks.map(({ type, operation }) => webhookMarkdown(document, type, operation)),
    ...operations.map((shown) => operationMarkdown(document, shown)),
  ])
}

function webhookHeaders({ components }: ApiDocument): string {
  const rows = Object.values(components.parameters)
    .filter(({ name }) => name.startsWith('webhook-'))
    .map(({ name, description = '', example }) => [`\`${name}\``, description, `\`${example}\``])
  return table(['Header of every webhook', 'About', 'Example'], rows)
}

function records({ components }: ApiDocument, names: string[]): string {
  const shown = names.toSorted().map((name) => {
    const schema = components.schemas[name] ?? {}
    const { properties: { error = {} } = {} } = schema
    return paragraphs([`### ${name}`, schema.description ?? '', fieldRows(name === 'Error' ? error : schema)])
  })
  return shown.length === 0 ? '' : paragraphs(['## Records', ...shown])
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

function errors(document: ApiDocument): string {
  const rows = errorCodes.map((code) => {
    const { statusCode, message } = describeError(code)
    return [`\`${code}\``, String(statusCode), message]
  })
  const usual = `Any operation may answer ${usualCodes(document)}.`
  return paragraphs(['## Errors', usual, table(['Code', 'Status', 'Message'], rows)])
}
