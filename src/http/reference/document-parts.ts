/** Reads the API's description: its sections, and what its references stand for. */
import type { ApiDocument, Content, Operation, Parameter, Schema } from './document.ts'
import { webhookTag } from './webhooks.ts'

export type Shown = { method: string; path: string; operation: Operation }

export type Section = {
  name: string
  /** As an anchor, and in the address of a page. */
  id: string
  about: string
  operations: Shown[]
  /** By type of event. */
  webhooks: { type: string; operation: Operation }[]
}

const methodOrder = ['get', 'head', 'post', 'put', 'patch', 'delete']

/** The operations by tag, in the order of the tags. */
export function sectionsOf(document: ApiDocument): Section[] {
  return document.tags.map(({ name, description }) => ({
    name,
    id: sectionId(name),
    about: sentence(description),
    operations: operationsWith(document, name),
    webhooks: name === webhookTag.name ? webhooksOf(document) : [],
  }))
}

const sectionId = (tag: string) => tag.toLowerCase().replaceAll(/\W+/g, '-')

/** Path of the section as Markdown. */
export const sectionPath = (tag: string) => `/docs/${sectionId(tag)}.md`

export const sentence = (text: string) => (text.endsWith('.') ? text : `${text}.`)

function operationsWith({ paths }: ApiDocument, tag: string): Shown[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    methodOrder.flatMap((method) => {
      const operation = item[method]
      return operation?.tags.includes(tag) ? [{ method: method.toUpperCase(), path, operation }] : []
    }),
  )
}

function webhooksOf({ webhooks }: ApiDocument): Section['webhooks'] {
  return Object.entries(webhooks).flatMap(([type, { post }]) => (post ? [{ type, operation: post }] : []))
}

export const nameOf = (reference: string) => reference.split('/').at(-1) ?? ''

export function parametersOf({ components }: ApiDocument, { parameters = [] }: Operation): Parameter[] {
  return parameters.map((one) => (one.$ref ? (components.parameters[nameOf(one.$ref)] ?? one) : one))
}

export function schemaOf({ components }: ApiDocument, schema: Schema): Schema {
  return schema.$ref ? (components.schemas[nameOf(schema.$ref)] ?? schema) : schema
}

/** Example of a JSON body. */
export function exampleIn({ components }: ApiDocument, content: Content | undefined): unknown {
  const { example, examples = {} } = content?.['application/json'] ?? {}
  const [name] = Object.keys(examples)
  return name === undefined ? example : components.examples[name]?.value
}

/** The path with the examples of its parameters. */
export function examplePath(path: string, parameters: Parameter[]): string {
  const ofPath = parameters.filter((parameter) => parameter.in === 'path')
  return ofPath.reduce((text, { name, example }) => text.replace(`{${name}}`, String(example)), path)
}

export const needsToken = ({ security }: Operation) => security?.length !== 0

/** By status: the codes of this operation, without those that any operation may answer. */
export function ownCodes(
  { components }: ApiDocument,
  { responses }: Operation,
): [status: string, codes: string[]][] {
  return Object.entries(responses).flatMap(([status, { description = '' }]) => {
    if (!/^[45]/.test(status)) return []
    const usual = components.responses[status]?.description ?? ''
    const codes = (description.match(/(?<=`)\w+(?=`)/g) ?? []).filter(
      (code) => !usual.includes(`\`${code}\``),
    )
    return codes.length === 0 ? [] : [[status, codes]]
  })
}

/** Those of every operation, as the shared answers list them. */
export function usualCodes({ components }: ApiDocument): string {
  return Object.values(components.responses)
    .map(({ description }) => description)
    .filter((description) => description.startsWith('`'))
    .join(', ')
}
