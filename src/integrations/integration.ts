/** An integration: a service that a user has connected, perhaps with a webhook, and the rules of its fields. */
import { type FieldProblems, notOneOf, problem, refuseFields } from '../contract/errors.ts'
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

/** The fields that its owner sets. */
export type IntegrationInput = Pick<Integration, 'code' | 'webhook' | 'constraint' | 'metadata'>

/** The webhook's settings, read from the input. */
export type WebhookSettings = {
  url: string | null
  version: string
  eventTypes: WebhookType[]
  conditions: Document[]
}

/** D81: versions in use; the payload repeats the integration's. */
const versions = ['1.8', 'v1.8', '1.4', 'v1.4']
const defaultVersion = '1.8'

/** Of a user; as many as a list without pages shows (D27: at most 1000 rows). */
export const maxIntegrations = 1000

export function readWebhook(input: IntegrationInput, allowPrivate: boolean): WebhookSettings {
  const problems: FieldProblems = {}
  for (const [field, document] of [
    ['metadata', input.metadata],
    ['webhookConstraint', input.constraint],
  ] as const) {
    const found = document && findProblem(document)
    if (found) problems[field] = [found]
  }
  const settings: ReadSettings = {
    url: readUrl(input.metadata.webhookUrl, allowPrivate),
    version: readVersion(input.metadata.webhookVersion),
    eventTypes: readTypes(input.metadata.webhookTypes),
  }
  if (input.webhook) Object.assign(problems, problemsOf(settings, input.metadata))
  if (Object.keys(problems).length > 0) throw refuseFields('Integration', problems)
  return {
    url: settings.url ?? null,
    version: settings.version ?? defaultVersion,
    eventTypes: settings.eventTypes ?? [],
    conditions: readConditions(input.constraint),
  }
}

/** A setting that could not be read is undefined. */
type ReadSettings = {
  url: string | undefined
  version: string | undefined
  eventTypes: WebhookType[] | undefined
}

const notPublicUrl = {
  en: 'must be an http or https URL of the public network',
  pt: 'deve ser uma URL http ou https da rede pública',
}
const notTypes = {
  en: `must be a list of some of ${webhookTypes.join(', ')}`,
  pt: `deve ser uma lista com alguns destes valores: ${webhookTypes.join(', ')}`,
}

/** D81: refused settings; D88: public URLs only. */
function problemsOf({ url, version, eventTypes }: ReadSettings, metadata: Document): FieldProblems {
  const problems: FieldProblems = {}
  if (url === undefined) {
    problems['metadata.webhookUrl'] = [
      metadata.webhookUrl === undefined ? problem.missing : { code: 'format', message: notPublicUrl },
    ]
  }
  if (version === undefined) {
    problems['metadata.webhookVersion'] = [notOneOf(versions)]
  }
  if (eventTypes === undefined) {
    problems['metadata.webhookTypes'] = [{ code: 'inclusion', message: notTypes }]
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
  // Some clients send 1.8 as a number.
  const text = typeof given === 'number' ? String(given) : given
  return versions.find((version) => version === text)
}

function readTypes(given: unknown): WebhookType[] | undefined {
  if (!Array.isArray(given) || given.length === 0) return undefined
  const known = webhookTypes.filter((type) => given.includes(type))
  return given.every((type) => known.includes(type)) ? known : undefined
}

/** D82: constraints may be flat, nested under `metadata`, or both at once; an empty one restricts nothing. */
function readConditions(constraint: Document | null): Document[] {
  if (!constraint) return []
  const { metadata: nested, ...flat } = constraint
  const objects = nested === null ? [flat] : isDocument(nested) ? [flat, nested] : [constraint]
  return objects.filter((object) => Object.keys(object).length > 0)
}
