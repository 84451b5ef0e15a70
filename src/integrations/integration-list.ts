/** The integrations of a user, as a list with filters. */
import { defineList } from '../filter/list.ts'

export const integrationList = defineList({
  fields: {
    id: { kind: 'integer', column: 'integrations.id' },
    gateway: { kind: 'text', column: 'integrations.code' },
    webhookConstraint: { kind: 'json', column: '(integrations.given_constraint::jsonb)', nullable: true },
    metadata: { kind: 'json', column: '(integrations.metadata::jsonb)' },
    webhook: { kind: 'boolean', column: 'integrations.webhook' },
    createdAt: { kind: 'instant', column: 'integrations.created_at' },
    updatedAt: { kind: 'instant', column: 'integrations.updated_at' },
  },
  shows: [
    'id',
    'gateway',
    'webhook',
    'webhookConstraint',
    'metadata',
    'secret',
    'previousSecretUntil',
    'lastError',
    'lastErrorAt',
    'createdAt',
    'updatedAt',
  ],
  order: 'id',
  id: 'integrations.id',
  example: { where: { gateway: 'my-crm' } },
})
