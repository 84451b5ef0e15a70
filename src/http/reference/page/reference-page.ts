/** D166: the reference of the API as one page, made from its description: it works without scripts and needs no other file. */
import { errorCatalogue } from '../../../contract/error-catalogue.ts'
import { errorCodes } from '../../../contract/errors.ts'
import { type Language, languageTags } from '../../../kit/text/language.ts'
import type { ApiDocument, Schema } from '../document.ts'
import { type Section, sectionsOf, usualCodes } from '../document-parts.ts'
import { type ReferenceWords, referenceWords } from '../words.ts'
import { fieldTable } from './fields.ts'
import { icon, referenceScript, referenceStyle } from './look.ts'
import { type Context, operationHtml, webhookHtml } from './operation-html.ts'
import { escapeText, inline, markdown } from './text.ts'

/** Where the reference is in other forms, for programs, and in the other language. */
type Links = {
  description: string
  postman: string
  markdown: string
  home: string
  other: string
  /** Page with what to do about each error. */
  errors: string
  /** Operations can be tried: the page is the service's own. */
  canTry: boolean
}

export function referencePage(document: ApiDocument, language: Language, links: Links): string {
  const { title, version, description } = document.info
  const words = referenceWords[language]
  const context = { document, words, errorPage: links.errors, shown: new Set<string>() }
  const sections = sectionsOf(document).map((section) => ({ ...section, parts: partsOf(context, section) }))
  const menu = sections.map(
    ({ name, parts }) =>
      `<details open><summary>${name}</summary>${parts.map(({ link }) => link).join('')}</details>`,
  )
  const articles = sections.map(
    ({ name, id, about, webhooks, parts }) =>
      `<section id="${id}"><h2>${name}</h2><p class="lead">${inline(about)}</p>${webhooks.length > 0 ? webhookHeaders(document, words) : ''}${parts.map(({ html }) => html).join('')}</section>`,
  )
  return `<!doctype html>
<html lang="${languageTags[language]}"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${words.title} · ${escapeText(title)}</title><link rel="icon" href="${icon}"><link rel="alternate" type="text/markdown" href="${links.markdown}"><style>${referenceStyle}</style>
<header><a class="brand" href="#top"><img src="${icon}" alt="" width="22" height="22"> ${escapeText(title)} <span>API ${escapeText(version)}</span></a>
<input id="find" type="search" placeholder="${words.find}" aria-label="${words.find}" hidden>
<input id="token" type="password" placeholder="${words.token}" aria-label="${words.token}" autocomplete="off" hidden>
<a href="${links.home}">${words.documentation}</a> <a href="${links.other}">${words.other}</a> <a href="${links.description}">openapi.json</a> <a href="${links.postman}" download>Postman</a> <a href="${links.markdown}">Markdown</a></header>
<div class="page" id="top"><nav aria-label="${words.contents}"><details class="menu" open><summary>${words.contents}</summary>${menu.join('')}
<details open><summary>${words.records}</summary><a href="#records">${words.allRecords}</a></details></details></nav>
<main><section><h1>${words.title}</h1>${markdown(description)}<p>${words.baseUrl}: <code>${escapeText(document.servers[0]?.url ?? '')}</code></p></section>
${articles.join('\n')}
<section id="records"><h2>${words.records}</h2><p class="lead">${words.recordsAbout}</p>${records(document, language)}</section></main></div>
${links.canTry ? `<script>${referenceScript}</script>` : ''}</html>
`
}

type Part = { link: string; html: string }

function partsOf(context: Context, { operations, webhooks }: Section): Part[] {
  return [
    ...webhooks.map(({ type, operation }) => ({
      link: linkTo(operation.operationId, 'EVENT', type),
      html: webhookHtml(context, type, operation),
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

function webhookHeaders({ components }: ApiDocument, words: ReferenceWords): string {
  const rows = Object.values(components.parameters)
    .filter(({ name }) => name.startsWith('webhook-'))
    .map(
      ({ name, description = '', example }) =>
        `<tr><th>${name}<td>${inline(description)}<br><code>${example}</code>`,
    )
  return `<article id="webhook-headers"><h3>${words.webhookHeaders}</h3><table>${rows.join('')}</table></article>`
}

function records(document: ApiDocument, language: Language): string {
  return Object.entries(document.components.schemas)
    .sort(([one], [other]) => one.localeCompare(other, 'en'))
    .map(([name, schema]) => {
      const about = schema.description ? `<p>${inline(schema.description)}</p>` : ''
      const fields =
        name === 'Error'
          ? errorFields(document, schema, language)
          : fieldTable(schema, referenceWords[language])
      return `<details class="record" id="${name}"><summary>${name}</summary>${about}${fields}</details>`
    })
    .join('')
}

/** The record of the error, the usual codes, and what each code means. */
function errorFields(document: ApiDocument, { properties = {} }: Schema, language: Language): string {
  const words = referenceWords[language]
  const { error = {} } = properties
  const codes = errorCodes.map((code) => {
    const [statusCode, , message] = errorCatalogue[code]
    return `- \`${code}\` (${statusCode}): ${message[language]}`
  })
  return `${fieldTable(error, words)}<p>${words.anyOperation} ${inline(usualCodes(document))}.</p>${markdown(codes.join('\n'))}`
}
