/** One operation of the API, or one webhook, as a part of the reference page. */
import type { ApiDocument, Content, Operation, Parameter, Schema } from '../document.ts'
import { curlHtml, examplePath } from './curl.ts'
import { fieldTable, linkTo, parameterTable, typeOf } from './fields.ts'
import { escapeAttribute, escapeText, inline, markdown, pretty } from './text.ts'

export type Context = {
  document: ApiDocument
  /** Records whose example is on the page already. */
  shown: Set<string>
}
type Shown = { method: string; path: string; operation: Operation }

export function operationHtml(context: Context, { method, path, operation }: Shown): string {
  const { document } = context
  const parameters = resolved(document, operation)
  const body = operation.requestBody?.content
  const [server = { url: '' }] = document.servers
  const target = examplePath(path, parameters)
  const request = {
    method,
    url: `${server.url}${target}`,
    operation,
    parameters,
    body: exampleOf(document, body),
  }
  const address = `${target}${exampleQuery(parameters)}`
  const marks = [operation.security?.length === 0 ? 'no token' : '', operation.deprecated ? 'deprecated' : '']
  return `<article id="${operation.operationId}" data-send="${method} ${escapeAttribute(address)}">
${heading(method, path, operation.summary, marks)}
<div class="two"><div>${operation.description ? markdown(operation.description) : ''}${part('Parameters', parameterTable(parameters))}${part('Body', bodyTable(document, body))}${errors(document, operation)}</div>
<div><pre tabindex="0">${curlHtml(request)}</pre>${answers(context, operation)}</div></div></article>`
}

export function webhookHtml(document: ApiDocument, name: string, operation: Operation): string {
  const body = operation.requestBody?.content
  const schema = body?.['application/json']?.schema
  return `<article id="${operation.operationId}">
${heading('EVENT', name, operation.summary, [])}
<div class="two"><div>${markdown(operation.description ?? '')}<p>Body: ${schema ? typeOf(schema) : ''}</p></div>
<div><pre tabindex="0">${pretty(exampleOf(document, body))}</pre></div></div></article>`
}

function exampleQuery(parameters: Parameter[]): string {
  const search = new URLSearchParams()
  for (const { name, in: place, example } of parameters) {
    if (place === 'query' && example !== undefined) search.set(name, String(example))
  }
  return search.size === 0 ? '' : `?${search}`
}

function heading(method: string, path: string, summary: string, marks: string[]): string {
  const shown = marks.filter((mark) => mark !== '').map((mark) => ` <small>${mark}</small>`)
  return `<h3><span class="m ${method}">${method}</span> <code>${escapeText(path)}</code>${shown.join('')}</h3><p class="about">${inline(summary)}.</p>`
}

const part = (title: string, html: string) => (html === '' ? '' : `<h4>${title}</h4>${html}`)

/** A body's fields, unless it is a list. */
function bodyTable(document: ApiDocument, content: Content | undefined): string {
  const schema = content?.['application/json']?.schema
  return schema ? fieldTable(named(document, schema)) : ''
}

function named({ components }: ApiDocument, schema: Schema): Schema {
  return schema.$ref ? (components.schemas[schema.$ref.split('/').at(-1) ?? ''] ?? schema) : schema
}

function resolved({ components }: ApiDocument, { parameters = [] }: Operation): Parameter[] {
  return parameters.map((one) =>
    one.$ref ? (components.parameters[one.$ref.split('/').at(-1) ?? ''] ?? one) : one,
  )
}

function exampleOf({ components }: ApiDocument, content: Content | undefined): unknown {
  const { example, examples = {} } = content?.['application/json'] ?? {}
  const [name] = Object.keys(examples)
  return name === undefined ? example : components.examples[name]?.value
}

function answers({ document, shown }: Context, { responses }: Operation): string {
  return Object.entries(responses)
    .filter(([status]) => status.startsWith('2'))
    .map(([status, { content, description }]) => {
      const [media = ''] = Object.keys(content ?? {})
      const schema = content?.[media]?.schema
      const what =
        media === 'application/json' && schema ? answerType(schema) : escapeText(media || description)
      const example = isNew(shown, schema) ? exampleOf(document, content) : undefined
      const html = example === undefined ? '' : `<pre tabindex="0">${pretty(example)}</pre>`
      return `<p class="answer"><span class="ok">${status}</span> ${what}</p>${html}`
    })
    .join('')
}

/** The example of a record is shown once; its other operations link to the record. */
function isNew(shown: Set<string>, schema: Schema = {}): boolean {
  const record = schema.$ref ?? schema.items?.$ref ?? schema.properties?.data?.items?.$ref
  if (record === undefined) return true
  const before = shown.size
  return shown.add(record).size > before
}

/** `list of User`; a page of a list by its records. */
function answerType(schema: Schema): string {
  const items = schema.properties?.data?.items
  if (items?.$ref) return `page of ${linkTo(items.$ref)}`
  return schema.$ref || schema.items ? typeOf(schema) : ''
}

/** The codes of this operation; those of every operation are with the record of the error. */
function errors({ components }: ApiDocument, { responses }: Operation): string {
  const own = Object.entries(responses).flatMap(([status, { description = '' }]) => {
    if (!/^[45]/.test(status)) return []
    const usual = components.responses[status]?.description ?? ''
    const codes = (description.match(/`\w+`/g) ?? []).filter((code) => !usual.includes(code))
    return codes.length === 0 ? [] : [`${status} ${inline(codes.join(', '))}`]
  })
  const special = own.length === 0 ? '' : `${own.join('; ')}; `
  return `<p class="errors">Errors: ${special}<a href="#Error">usual ones</a></p>`
}
