/** The reference of the API as one page, made from its description: it works without scripts and needs no other file. */
import { describeError, errorCodes } from '../../../contract/errors.ts'
import type { ApiDocument, Schema } from '../document.ts'
import { type Section, sectionsOf, usualCodes } from '../document-parts.ts'
import { fieldTable } from './fields.ts'
import { icon, referenceScript, referenceStyle } from './look.ts'
import { type Context, operationHtml, webhookHtml } from './operation-html.ts'
import { escapeText, inline, markdown } from './text.ts'

/** Where the reference is in other forms, for programs. */
export type OtherForms = { description: string; postman: string; markdown: string }

export function referencePage(document: ApiDocument, forms: OtherForms): string {
  const { title, version, description } = document.info
  const context = { document, shown: new Set<string>() }
  const sections = sectionsOf(document).map((section) => ({ ...section, parts: partsOf(context, section) }))
  const links = sections.map(
    ({ name, parts }) =>
      `<details open><summary>${name}</summary>${parts.map(({ link }) => link).join('')}</details>`,
  )
  const articles = sections.map(
    ({ name, id, about, webhooks, parts }) =>
      `<section id="${id}"><h2>${name}</h2><p class="lead">${inline(about)}</p>${webhooks.length > 0 ? webhookHeaders(document) : ''}${parts.map(({ html }) => html).join('')}</section>`,
  )
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeText(title)} API</title><link rel="icon" href="${icon}"><link rel="alternate" type="text/markdown" href="${forms.markdown}"><style>${referenceStyle}</style>
<header><a class="brand" href="#top"><img src="${icon}" alt="" width="22" height="22"> ${escapeText(title)} <span>API ${escapeText(version)}</span></a>
<input id="find" type="search" placeholder="Find an operation" aria-label="Find an operation" hidden>
<input id="token" type="password" placeholder="Access token, to try it" aria-label="Access token" autocomplete="off" hidden>
<a href="${forms.description}">openapi.json</a> <a href="${forms.postman}" download>Postman</a> <a href="${forms.markdown}">Markdown</a></header>
<div class="page" id="top"><nav aria-label="Operations"><details class="menu" open><summary>Contents</summary>${links.join('')}
<details open><summary>Records</summary><a href="#records">Bodies of all operations</a></details></details></nav>
<main><section><h1>${escapeText(title)} API</h1>${markdown(description)}<p>Base URL: <code>${escapeText(document.servers[0]?.url ?? '')}</code></p></section>
${articles.join('\n')}
<section id="records"><h2>Records</h2><p class="lead">The bodies that operations take and answer.</p>${records(document)}</section></main></div>
<script>${referenceScript}</script></html>
`
}

type Part = { link: string; html: string }

function partsOf(context: Context, { operations, webhooks }: Section): Part[] {
  return [
    ...webhooks.map(({ type, operation }) => ({
      link: linkTo(operation.operationId, 'EVENT', type),
      html: webhookHtml(context.document, type, operation),
    })),
    ...operations.map((shown) => ({
      link: linkTo(shown.operation.operationId, shown.method, shown.path),
      html: operationHtml(context, shown),
    })),
  ]
}

function linkTo(id: string, method: string, text: string): string {
  return `<a href="#${id}"><span class="m ${method}">${method}</span> ${escapeText(text)}</a>`
}

function webhookHeaders({ components }: ApiDocument): string {
  const rows = Object.values(components.parameters)
    .filter(({ name }) => name.startsWith('webhook-'))
    .map(
      ({ name, description = '', example }) =>
        `<tr><th>${name}<td>${inline(description)}<br><code>${example}</code>`,
    )
  return `<article id="webhook-headers"><h3>Headers of every webhook</h3><table>${rows.join('')}</table></article>`
}

function records(document: ApiDocument): string {
  return Object.entries(document.components.schemas)
    .sort(([one], [other]) => one.localeCompare(other, 'en'))
    .map(([name, schema]) => {
      const about = schema.description ? `<p>${inline(schema.description)}</p>` : ''
      const fields = name === 'Error' ? errorFields(document, schema) : fieldTable(schema)
      return `<details class="record" id="${name}"><summary>${name}</summary>${about}${fields}</details>`
    })
    .join('')
}

/** The record of the error, the usual codes, and what each code means. */
function errorFields(document: ApiDocument, { properties = {} }: Schema): string {
  const { error = {} } = properties
  const codes = errorCodes.map((code) => {
    const { statusCode, message } = describeError(code)
    return `- \`${code}\` (${statusCode}): ${message}`
  })
  return `${fieldTable(error)}<p>Any operation may answer ${inline(usualCodes(document))}.</p>${markdown(codes.join('\n'))}`
}
