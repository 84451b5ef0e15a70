/** A request as a command line that can be copied. */
import type { Operation, Parameter } from '../document.ts'
import { escapeText, pretty } from './text.ts'

type Request = { method: string; url: string; operation: Operation; parameters: Parameter[]; body: unknown }

/** The path with the examples of its parameters. */
export function examplePath(path: string, parameters: Parameter[]): string {
  const ofPath = parameters.filter((parameter) => parameter.in === 'path')
  return ofPath.reduce((text, { name, example }) => text.replace(`{${name}}`, String(example)), path)
}

export function curlHtml({ method, url, operation, parameters, body }: Request): string {
  const query = parameters.filter((parameter) => parameter.in === 'query' && parameter.example !== undefined)
  const data = query.map(({ name, example }) =>
    typeof example === 'number'
      ? ` -d ${name}=${example}`
      : ` --data-urlencode ${quoted(`${name}=${example}`)}`,
  )
  const token = operation.security?.length === 0 ? [] : [` -H "Authorization: $token"`]
  const parts = [...token, ...data.map(escapeText), ...(body === undefined ? [] : bodyParts(body))]
  return `curl ${option(method, query.length > 0)}${escapeText(url)}${parts.map((part) => ` \\\n ${part}`).join('')}`
}

/** The script of the page takes the body from its own tag. */
function bodyParts(body: unknown): string[] {
  return [" -H 'Content-Type: application/json'", ` -d '<b>${pretty(body).replaceAll("'", "'\\''")}</b>'`]
}

function option(method: string, hasQuery: boolean): string {
  if (method === 'HEAD') return '-I '
  if (method === 'GET') return hasQuery ? '-G ' : ''
  return `-X ${method} `
}

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`
