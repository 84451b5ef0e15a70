/** An integration: what a user has connected, perhaps with a webhook, and what its fields must be. */

import { type FieldProblems, problem, refuseFields } from '../contract/errors.ts'
import { type WebhookType, webhookTypes } from '../contract/events.ts'
import { type Document, findProblem, isDocument } from './document.ts'
import { mayBePublicHost } from './public-address.ts'
import { readWebhookUrl } from './webhook-url.ts'

export type Integration = {
  id: number
  code: string
  webhook: boolean
  constraint: Document | null
  metadata: Document
  secret: string
  previousSecretUntil: Date | null
  lastError: string | null
  lastErrorAt: Date | null
  createdAt: Date
  updatedAt: Date
}

/** What its owner says of it. */
export type IntegrationWish = Pick<Integration, 'code' | 'webhook' | 'constraint' | 'metadata'>

/** What the wish comes to for the webhook. */
export type WebhookSettings = {
  url: string | null
  version: string
  eventTypes: WebhookType[]
  conditions: Document[]
}

/** D81: what callers of both references send; the payload says the same. */
const versions = ['1.8', 'v1.8', '1.4', 'v1.4']
const defaultVersion = '1.8'

/** As many as the list shows (D27). */
export const mostIntegrations = 1000

export function readWebhook(wish: IntegrationWish, allowPrivate: boolean): WebhookSettings {
  const problems: FieldProblems = {}
  for (const [field, document] of [
    ['metadata', wish.metadata],
    ['webhookConstraint', wish.constraint],
  ] as const) {
    const found = document && findProblem(document)
    if (found) problems[field] = [found]
  }
  const settings: Read = {
    url: readUrl(wish.metadata.webhookUrl, allowPrivate),
    version: readVersion(wish.metadata.webhookVersion),
    eventTypes: readTypes(wish.metadata.webhookTypes),
  }
  if (wish.webhook) Object.assign(problems, problemsOf(settings, wish.metadata))
  if (Object.keys(problems).length > 0) throw refuseFields('Integration', problems)
  return {
    url: settings.url ?? null,
    version: settings.version ?? defaultVersion,
    eventTypes: settings.eventTypes ?? [],
    conditions: readConditions(wish.constraint),
  }
}

/** Undefined is what could not be read. */
type Read = {
  url: string | undefined
  version: string | undefined
  eventTypes: WebhookType[] | undefined
}

/** D81, D88 */
function problemsOf({ url, version, eventTypes }: Read, metadata: Document): FieldProblems {
  const problems: FieldProblems = {}
  if (url === undefined) {
    problems['metadata.webhookUrl'] = [
      metadata.webhookUrl === undefined
        ? problem.missing
        : { code: 'format', message: 'must be an http or https URL of the public network' },
    ]
  }
  if (version === undefined) {
    problems['metadata.webhookVersion'] = [
      { code: 'inclusion', message: `must be one of ${versions.join(', ')}` },
    ]
  }
  if (eventTypes === undefined) {
    problems['metadata.webhookTypes'] = [
      { code: 'inclusion', message: `must be a list of some of ${webhookTypes.join(', ')}` },
    ]
  }
  return problems
}

function readUrl(given: unknown, allowPrivate: boolean): string | undefined {
  const target = typeof given === 'string' ? readWebhookUrl(given) : undefined
  if (!target || typeof given !== 'string') return undefined
  return allowPrivate || mayBePublicHost(target.hostname) ? given.trim() : undefined
}

function readVersion(given: unknown): string | undefined {
  if (given === undefined || given === null) return defaultVersion
  // A number says the same, but for its quotes.
  const text = typeof given === 'number' ? String(given) : given
  return versions.find((version) => version === text)
}

function readTypes(given: unknown): WebhookType[] | undefined {
  if (!Array.isArray(given) || given.length === 0) return undefined
  const known = webhookTypes.filter((kind) => given.includes(kind))
  return given.every((kind) => known.includes(kind)) ? known : undefined
}

/** D82: flat, nested under `metadata`, or both at once; what is empty restricts nothing. */
function readConditions(constraint: Document | null): Document[] {
  if (!constraint) return []
  const { metadata: nested, ...flat } = constraint
  const objects = nested === null ? [flat] : isDocument(nested) ? [flat, nested] : [constraint]
  return objects.filter((object) => Object.keys(object).length > 0)
}
