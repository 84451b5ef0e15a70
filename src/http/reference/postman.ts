/** D540: the API as a collection of Postman (format 2.1), which other HTTP tools import too. */
import { defined } from '../../kit/defined.ts'
import type { ApiDocument, Parameter } from './document.ts'
import { exampleIn, needsToken, parametersOf, type Shown, sectionsOf } from './document-parts.ts'

const format = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json'

/** The answer of a login has the token that the other requests are sent with. */
const keepToken = {
  listen: 'test',
  script: {
    type: 'text/javascript',
    exec: ["if (pm.response.code === 200) pm.collectionVariables.set('token', pm.response.json().id)"],
  },
}

export function postmanCollection(document: ApiDocument) {
  const { title, version, description } = document.info
  return {
    info: { name: `${title} API ${version}`, description, schema: format },
    auth: {
      type: 'apikey',
      apikey: [text('key', 'Authorization'), text('value', '{{token}}'), text('in', 'header')],
    },
    variable: [text('baseUrl', document.servers[0]?.url ?? ''), text('token', '')],
    item: sectionsOf(document)
      .filter(({ operations }) => operations.length > 0)
      .map(({ name, about, operations }) => ({
        name,
        description: about,
        item: operations.map((shown) => describeRequest(document, shown)),
      })),
  }
}

const text = (key: string, value: string) => ({ key, value, type: 'string' })

function describeRequest(document: ApiDocument, shown: Shown) {
  const { method, path, operation } = shown
  const parameters = parametersOf(document, operation)
  const body = exampleIn(document, operation.requestBody?.content)
  const json = { key: 'Content-Type', value: 'application/json' }
  const headers = parameters.filter((parameter) => parameter.in === 'header').map(describeParameter)
  return {
    name: `${method} ${path}`,
    ...(operation.operationId === 'postUsersLogin' && { event: [keepToken] }),
    request: {
      method,
      description: [operation.summary, operation.description].filter(Boolean).join('.\n\n'),
      ...(!needsToken(operation) && { auth: { type: 'noauth' } }),
      header: [
        ...(body === undefined ? [] : [json]),
        ...headers.map((header) => ({ ...header, disabled: true })),
      ],
      url: describeAddress(path, parameters),
      ...defined({ body: body === undefined ? undefined : rawBody(body) }),
    },
    response: answers(document, shown),
  }
}

function rawBody(body: unknown) {
  return { mode: 'raw', raw: JSON.stringify(body, null, 2), options: { raw: { language: 'json' } } }
}

function describeParameter({ name, example, description }: Parameter) {
  return { key: name, value: String(example ?? ''), ...defined({ description }) }
}

/** A parameter without an example is there, and not sent until it is chosen. */
function describeAddress(path: string, parameters: Parameter[]) {
  const route = path.replace(/\{(\w+)\}/g, ':$1')
  const query = parameters
    .filter((parameter) => parameter.in === 'query')
    .map((parameter) => ({
      ...describeParameter(parameter),
      disabled: parameter.example === undefined && !parameter.required,
    }))
  const search = query
    .filter(({ disabled }) => !disabled)
    .map(({ key, value }) => `${key}=${encodeURIComponent(value)}`)
  return {
    raw: `{{baseUrl}}${route}${search.length > 0 ? `?${search.join('&')}` : ''}`,
    host: ['{{baseUrl}}'],
    path: route.split('/').slice(1),
    query,
    variable: parameters.filter((parameter) => parameter.in === 'path').map(describeParameter),
  }
}

/** The examples of successes. */
function answers(document: ApiDocument, { operation }: Shown) {
  return Object.entries(operation.responses).flatMap(([status, { content, description }]) => {
    const example = status.startsWith('2') ? exampleIn(document, content) : undefined
    if (example === undefined) return []
    return [
      {
        name: description,
        code: Number(status),
        status: description,
        _postman_previewlanguage: 'json',
        header: [{ key: 'Content-Type', value: 'application/json' }],
        body: JSON.stringify(example, null, 2),
      },
    ]
  })
}
