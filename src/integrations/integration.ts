/** An integration: a service that a user has connected, perhaps with a webhook, and the rules of its fields. */

import { type FieldProblems, notOneOf, problem, refuseFields } from '../contract/errors.ts'
import { type Document, findProblem, isDocument } from '../contract/schema/document.ts'
import { type WebhookType, webhookTypes } from '../contract/webhooks/events.ts'
import type { Translated } from '../kit/text/language.ts'
import { mayBePublicHost } from './public-address.ts'
import { readWebhookUrl, type UrlProblem, type WebhookTarget } from './webhook-url.ts'

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
  /** The user and password of the URL; `kept` if it came back with the mask. */
  login: string | 'kept' | null
  /** As it is shown and stored: without the password (D151). */
  metadata: Document
  version: string
  eventTypes: WebhookType[]
  conditions: Document[]
}

/** D81: versions in use; the payload repeats the integration's. */
const versions = ['1.8', 'v1.8', '1.4', 'v1.4']
const defaultVersion = '1.8'

/** D198: how many there may be; those that exist stay when a ceiling is lowered. */
export type IntegrationCeilings = { perUser: number; perAccount: number }

/** `before`: the integration that is changed, as it is shown. */
export function readWebhook(
  input: IntegrationInput,
  allowPrivate: boolean,
  before?: Pick<Integration, 'metadata'>,
): WebhookSettings {
  const problems: FieldProblems = {}
  for (const [field, document] of [
    ['metadata', input.metadata],
    ['webhookConstraint', input.constraint],
  ] as const) {
    const found = document && findProblem(document)
    if (found) problems[field] = [found]
  }
  const settings: ReadSettings = {
    target: readUrl(input.metadata.webhookUrl, allowPrivate, before?.metadata.webhookUrl),
    version: readVersion(input.metadata.webhookVersion),
    eventTypes: readTypes(input.metadata.webhookTypes),
  }
  if (input.webhook) Object.assign(problems, problemsOf(settings))
  if (Object.keys(problems).length > 0) throw refuseFields('Integration', problems)
  const target = 'problem' in settings.target ? undefined : settings.target
  return {
    url: target?.url ?? null,
    login: target?.isMasked ? 'kept' : (target?.login ?? null),
    metadata: target ? { ...input.metadata, webhookUrl: target.shown } : input.metadata,
    version: settings.version ?? defaultVersion,
    eventTypes: settings.eventTypes ?? [],
    conditions: readConditions(input.constraint),
  }
}

/** A setting that could not be read is undefined, or a problem. */
type ReadSettings = {
  target: WebhookTarget | { problem: keyof typeof urlProblems }
  version: string | undefined
  eventTypes: WebhookType[] | undefined
}

/** D151: each reason has its own sentence. */
const urlProblems = {
  missing: problem.missing.message,
  text: { en: 'must be a text', pt: 'deve ser um texto' },
  length: { en: 'must have at most 2048 characters', pt: 'deve ter no máximo 2048 caracteres' },
  scheme: {
    en: 'must begin with http:// or https://',
    pt: 'deve começar com http:// ou https://',
  },
  characters: {
    en: 'must have no spaces, line breaks or backslashes',
    pt: 'não pode ter espaços, quebras de linha ou barras invertidas',
  },
  host: {
    en: 'must name a host and, if any, a port from 0 to 65535',
    pt: 'deve ter um host e, se houver, uma porta de 0 a 65535',
  },
  login: {
    en: 'must have a user name before its @, and user and password percent-encoded where they have special characters',
    pt: 'deve ter um usuário antes do @, e usuário e senha codificados com % onde têm caracteres especiais',
  },
  masked: {
    en: 'has *** for a password: send the password itself, or the URL exactly as it is shown',
    pt: 'tem *** no lugar da senha: envie a própria senha, ou a URL exatamente como é mostrada',
  },
  local: {
    en: 'must be on the public network: this host is local or private',
    pt: 'deve estar na rede pública: este host é local ou privado',
  },
} as const satisfies Record<UrlProblem | 'missing' | 'text' | 'masked' | 'local', Translated<string>>

const notTypes = {
  en: `must be a list of some of ${webhookTypes.join(', ')}`,
  pt: `deve ser uma lista com alguns destes valores: ${webhookTypes.join(', ')}`,
}

/** D81: refused settings; D88: public URLs only. */
function problemsOf({ target, version, eventTypes }: ReadSettings): FieldProblems {
  const problems: FieldProblems = {}
  if ('problem' in target) {
    const code = target.problem === 'missing' ? problem.missing.code : 'format'
    problems['metadata.webhookUrl'] = [{ code, message: urlProblems[target.problem] }]
  }
  if (version === undefined) {
    problems['metadata.webhookVersion'] = [notOneOf(versions)]
  }
  if (eventTypes === undefined) {
    problems['metadata.webhookTypes'] = [{ code: 'inclusion', message: notTypes }]
  }
  return problems
}

function readUrl(given: unknown, allowPrivate: boolean, before: unknown): ReadSettings['target'] {
  if (given === undefined || given === null || given === '') return { problem: 'missing' }
  if (typeof given !== 'string') return { problem: 'text' }
  const target = readWebhookUrl(given)
  if ('problem' in target) return target
  // The mask stands for the password of this very URL, and of no other.
  if (target.isMasked && target.shown !== before) return { problem: 'masked' }
  return allowPrivate || mayBePublicHost(target.hostname) ? target : { problem: 'local' }
}

function readVersion(given: unknown): string | undefined {
  if (given === undefined || given === null || given === '') return defaultVersion
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
