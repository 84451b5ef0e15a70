/** The list of an account's audit log, newest first: the fields by which it can be filtered. */
import { defineList } from '../../filter/list.ts'

export const auditList = defineList({
  fields: {
    id: { kind: 'integer', column: 'audit.id' },
    at: { kind: 'instant', column: 'audit.at' },
    action: { kind: 'text', column: 'audit.action' },
    actor: { kind: 'text', column: 'audit.actor', nullable: true },
    subject: { kind: 'text', column: 'audit.subject', nullable: true },
    details: { kind: 'json', column: 'audit.details' },
  },
  shows: ['id', 'at', 'action', 'actor', 'subject', 'details'],
  order: 'at DESC',
  id: 'audit.id',
  example: { where: { action: 'user.created' }, limit: 20 },
})
