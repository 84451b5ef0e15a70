/** A request as a command line that can be copied. */
import { defined } from '../../kit/defined.ts'
import type { ApiDocument } from './document.ts'
import { exampleIn, examplePath, needsToken, parametersOf, type Shown } from './document-parts.ts'

/** The body is apart, for the page, whose script takes it from its own tag. */
export type Curl = { before: string; body?: string; after: string }

export function curlOf(document: ApiDocument, { method, path, operation }: Shown): Curl {
  const [server = { url: '' }] = document.servers
  const parameters = parametersOf(document, operation)
  const query = parameters.filter((parameter) => parameter.in === 'query' && parameter.example !== undefined)
  const data = query.map(({ name, example }) =>
    typeof example === 'number'
      ? `-d ${name}=${example}`
      : `--data-urlencode ${quoted(`${name}=${example}`)}`,
  )
  const body = exampleIn(document, operation.requestBody?.content)
  const parts = [
    `curl ${option(method, query.length > 0)}${server.url}${examplePath(path, parameters)}`,
    ...(needsToken(operation) ? ['-H "Authorization: $token"'] : []),
    ...data,
    ...(body === undefined ? [] : ["-H 'Content-Type: application/json'", "-d '"]),
  ]
  const text = body === undefined ? undefined : JSON.stringify(body, null, 2).replaceAll("'", "'\\''")
  return { before: parts.join(' \\\n  '), after: body === undefined ? '' : "'", ...defined({ body: text }) }
}

function option(method: string, hasQuery: boolean): string {
  if (method === 'HEAD') return '-I '
  if (method === 'GET') return hasQuery ? '-G ' : ''
  return `-X ${method} `
}

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`
