/** The API's description, OpenAPI 3.1, made from the very schemas that validate. */
import { limits, windowSeconds } from '../../contract/limits.ts'
import { type AnyEntry, basePath, tags } from '../entry.ts'
import type { ApiDocument, PathItem } from './document.ts'
import { sharedErrors } from './error-responses.ts'
import { describeOperation, idempotencyKey } from './operation.ts'
import { rateHeaderComponents } from './rate-headers.ts'
import { createSchemas } from './schemas.ts'
import { describeWebhooks, webhookHeaders, webhookResponses, webhookTag } from './webhooks.ts'

const description = [
  'Voice calls and the prepaid account behind them. Send your access token in the `Authorization` header; ' +
    '`POST /users/login` gives you one.',
  `Unless an operation says otherwise, ${limits.other.max} requests of one ${limits.other.by} are answered in ${windowSeconds} seconds. ` +
    'Every answer tells how many are left (`RateLimit-Remaining`) and for how long (`RateLimit-Reset`), and has an `X-Request-Id` to name when ' +
    'you ask for help. Bodies are JSON, times UTC in ISO 8601 with milliseconds, money is a number of Brazilian reais.',
  'Every error has the same body; `code` says what is wrong and never changes, `message` says it in English, and ' +
    '`localizedMessage` in Portuguese where `Accept-Language` prefers it. Records of a list have all their fields unless `filter` names some with `fields`.',
].join('\n\n')

type Options = { version: string; publicUrl: string }

export function describeApi(entries: AnyEntry[], { version, publicUrl }: Options): ApiDocument {
  const schemas = createSchemas()
  const paths: Record<string, PathItem> = {}
  for (const entry of entries) {
    const path = entry.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [entry.method.toLowerCase()]: describeOperation(entry, schemas) }
  }
  const webhooks = describeWebhooks(schemas)
  const responses = { ...sharedErrors(entries, schemas), ...webhookResponses }
  return {
    openapi: '3.1.0',
    info: { title: 'Ramal', version, description, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: `${publicUrl}${basePath}` }],
    externalDocs: { description: 'Guides, and this reference for people', url: `${publicUrl}/docs/` },
    security: [{ token: [] }],
    tags: [...Object.entries(tags).map(([name, about]) => ({ name, description: about })), webhookTag],
    paths,
    webhooks,
    components: {
      schemas: schemas.named,
      responses,
      examples: schemas.shareExamples(),
      parameters: { IdempotencyKey: idempotencyKey, ...webhookHeaders },
      headers: rateHeaderComponents,
      securitySchemes: { token: { type: 'apiKey', in: 'header', name: 'Authorization' } },
    },
  }
}
