/** One operation of the API, or one webhook, as a part of the reference page. */
import { curlOf } from '../curl.ts'
import type { ApiDocument, Content, Operation, Parameter, Schema } from '../document.ts'
import {
  exampleIn,
  examplePath,
  needsToken,
  ownCodes,
  parametersOf,
  type Shown,
  schemaOf,
} from '../document-parts.ts'
import { answerWords, typeWords } from '../type-words.ts'
import type { ReferenceWords } from '../words.ts'
import { codeHtml, fieldTable, htmlMarks, parameterTable } from './fields.ts'
import { escapeAttribute, escapeText, inline, markdown, pretty } from './text.ts'

export type Context = {
  document: ApiDocument
  words: ReferenceWords
  /** Page with what to do about each error. */
  errorPage: string
  /** Records whose example is on the page already. */
  shown: Set<string>
}

export function operationHtml(context: Context, shown: Shown): string {
  const { document, words } = context
  const { method, path, operation } = shown
  const parameters = parametersOf(document, operation)
  const body = operation.requestBody?.content
  const address = `${examplePath(path, parameters)}${exampleQuery(parameters)}`
  const marks = [needsToken(operation) ? '' : words.noToken, operation.deprecated ? words.deprecated : '']
  return `<article id="${operation.operationId}" data-send="${method} ${escapeAttribute(address)}">
${heading(method, path, operation.summary, marks)}
<div class="two"><div>${operation.description ? markdown(operation.description) : ''}${part(words.parameters, parameterTable(parameters, words))}${part(words.body, bodyTable(context, body))}${errors(context, operation)}</div>
<div><pre tabindex="0">${curlHtml(document, shown)}</pre>${answers(context, operation)}</div></div></article>`
}

export function webhookHtml({ document, words }: Context, name: string, operation: Operation): string {
  const body = operation.requestBody?.content
  const schema = body?.['application/json']?.schema
  return `<article id="${operation.operationId}">
${heading('EVENT', name, operation.summary, [])}
<div class="two"><div>${markdown(operation.description ?? '')}<p>${words.body}: ${schema ? typeWords(schema, htmlMarks(words)) : ''}</p></div>
<div><pre tabindex="0">${pretty(exampleIn(document, body))}</pre></div></div></article>`
}

/** The script of the page takes the body from its own tag. */
function curlHtml(document: ApiDocument, shown: Shown): string {
  const { before, body, after } = curlOf(document, shown)
  const own = body === undefined ? '' : `<b>${escapeText(body)}</b>`
  return `${escapeText(before)}${own}${after}`
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
function bodyTable({ document, words }: Context, content: Content | undefined): string {
  const schema = content?.['application/json']?.schema
  return schema ? fieldTable(schemaOf(document, schema), words) : ''
}

function answers({ document, shown, words }: Context, { responses }: Operation): string {
  return Object.entries(responses)
    .filter(([status]) => status.startsWith('2'))
    .map(([status, { content, description }]) => {
      const [media = ''] = Object.keys(content ?? {})
      const schema = content?.[media]?.schema
      const what =
        media === 'application/json' && schema
          ? answerWords(schema, htmlMarks(words))
          : escapeText(media || description)
      const example = isNew(shown, schema) ? exampleIn(document, content) : undefined
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

/** The codes of this operation; those of every operation are with the record of the error. */
function errors({ document, words, errorPage }: Context, operation: Operation): string {
  const link = (code: string) => `<a href="${errorPage}#${code.toLowerCase()}">${codeHtml(code)}</a>`
  const own = ownCodes(document, operation).map(
    ([status, codes]) => `${status} ${codes.map(link).join(', ')}`,
  )
  const special = own.length === 0 ? '' : `${own.join('; ')}; `
  return `<p class="errors">${words.errors}: ${special}<a href="#Error">${words.usualOnes}</a></p>`
}
