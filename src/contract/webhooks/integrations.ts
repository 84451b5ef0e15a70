/** Integrations as the outside sees them (spec §2.5, §4.6). */

import { bodyOf } from '../schema/body.ts'
import { Instant, nullable, optionalId } from '../schema/common.ts'
import { Type } from '../schema/type.ts'
import { webhookTypes } from './events.ts'

const gateway = Type.String({
  minLength: 1,
  maxLength: 64,
  description: 'Your code for the integration, kept exactly as sent',
  examples: ['my-crm'],
})
const anything = { additionalProperties: true }
const object = (about: string, example: object) =>
  Type.Object({}, { ...anything, description: about, examples: [example] })

const constraint = Type.Unsafe<Record<string, unknown> | null>({
  ...object(
    'Only calls with these keys and values in their metadata are sent; flat, or under a key named metadata',
    { campaign: 'spring' },
  ),
  type: ['object', 'null'],
})
const webhookSettings = {
  webhookUrl: 'https://crm.example/hooks/calls',
  webhookVersion: '1.8',
  webhookTypes: ['channel-answer', 'channel-hangup'],
}
const metadata = object(
  `Anything of yours and, for a webhook, webhookUrl (one with user:password@ is sent Basic authorization, and shown as user:***@), webhookVersion, webhookTypes (a list of ${webhookTypes.join(', ')})`,
  webhookSettings,
)

export const Integration = Type.Object(
  {
    id: Type.Integer(),
    gateway,
    webhook: Type.Boolean(),
    webhookConstraint: constraint,
    metadata,
    secret: Type.String({
      description: 'Signs the webhooks, by Standard Webhooks',
      examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
    }),
    previousSecretUntil: nullable(Instant),
    lastError: nullable(Type.String({ description: 'Why the last failed attempt failed', examples: [null] })),
    lastErrorAt: nullable(Instant),
    createdAt: Instant,
    updatedAt: Instant,
  },
  { $id: 'Integration' },
)

/** With an id, the fields given are changed; without one, an integration is created (D80: PATCH). */
export const IntegrationPatch = Type.Object(
  {
    id: optionalId,
    gateway: Type.Optional(gateway),
    webhook: Type.Optional(Type.Boolean()),
    webhookConstraint: Type.Optional(constraint),
    metadata: Type.Optional(metadata),
  },
  {
    $id: 'IntegrationPatch',
    examples: [
      {
        gateway: 'my-crm',
        webhook: true,
        webhookConstraint: { campaign: 'spring' },
        metadata: webhookSettings,
      },
    ],
    ...bodyOf('Integration', { record: Integration }),
  },
)

export const Recovery = Type.Object(
  { since: Instant },
  { $id: 'Recovery', examples: [{ since: '2026-11-15T12:30:00.000Z' }], ...bodyOf('Integration') },
)
