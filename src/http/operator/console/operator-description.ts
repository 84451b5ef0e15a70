/** The description of the operator's routes, OpenAPI 3.1 (D618). */
import type { ErrorCode } from '../../../contract/errors.ts'
import type { AnyEntry } from '../../entry.ts'
import type { ApiDocument, PathItem } from '../../reference/document.ts'
import { sharedErrors } from '../../reference/error-responses.ts'
import { describeOperation } from '../../reference/operation.ts'
import { rateHeaderComponents } from '../../reference/rate-headers.ts'
import { createSchemas } from '../../reference/schemas.ts'
import type { AnyOperatorEntry } from './operator-entry.ts'

const description =
  'What the operator of the service reads and changes, beside the API of the accounts. Send the operator token in the ' +
  '`Authorization` header. Money is a number of Brazilian reais, times are UTC.'

const everywhere: ErrorCode[] = ['AUTHORIZATION_REQUIRED', 'INVALID_TOKEN', 'FOREIGN_ORIGIN']

type Options = { version: string; serverUrl: string; docsUrl: string }

export function describeOperatorApi(
  operatorEntries: AnyOperatorEntry[],
  { version, serverUrl, docsUrl }: Options,
): ApiDocument {
  const schemas = createSchemas()
  const entries = operatorEntries.map(toEntry)
  const paths: Record<string, PathItem> = {}
  for (const entry of entries) {
    const path = entry.path.replace(/:(\w+)/g, '{$1}')
    const { security: _none, ...operation } = describeOperation(entry, schemas)
    paths[path] = { ...paths[path], [entry.method.toLowerCase()]: { ...operation, tags: ['Operator'] } }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Ramal, operator', version, description, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: serverUrl }],
    externalDocs: { description: 'What the operator does', url: docsUrl },
    security: [{ operatorToken: [] }],
    tags: [{ name: 'Operator', description: 'Accounts, their credit and their calls' }],
    paths,
    webhooks: {},
    components: {
      responses: sharedErrors(entries, schemas),
      examples: schemas.shareExamples(),
      schemas: schemas.named,
      parameters: {},
      headers: rateHeaderComponents,
      securitySchemes: { operatorToken: { type: 'http', scheme: 'bearer' } },
    },
  }
}

/** As an entry of the API, of which only what describes it is read. */
function toEntry(entry: AnyOperatorEntry): AnyEntry {
  const { method, path, errors = [] } = entry
  return {
    ...entry,
    errors: [...everywhere, ...errors],
    route: `${method} ${path}`,
    pattern: path,
    tag: 'Account',
    may: 'anyone',
    limit: 'other',
    run: () => undefined,
  }
}
