/** The list of an account's users: by which fields it can be filtered, and its SQL. */
import { defineList } from '../filter/list.ts'
import type { ListQuery } from '../filter/list-query.ts'
import { applyList } from '../filter/sql/list-sql.ts'
import type { Database } from '../store/database.ts'
import type { User } from './user.ts'
import { selectUsers, toUser } from './users-store.ts'

export const userList = defineList({
  fields: {
    uuid: { kind: 'uuid', column: 'users.uuid' },
    id: { aliasOf: 'uuid' },
    name: { kind: 'text', column: 'users.name' },
    email: { kind: 'text', column: 'users.email', lowercase: true },
    phone: { kind: 'text', column: 'users.phone', phone: 'as sent' },
    role: { kind: 'choice', choices: ['ADMIN', 'USER'], column: 'users.role' },
    emailVerified: { kind: 'boolean', column: 'users.email_verified' },
    pendingEmail: { kind: 'text', column: 'users.pending_email', lowercase: true, nullable: true },
    invited: { kind: 'boolean', column: '(users.password_hash is null)' },
    createdAt: { kind: 'instant', column: 'users.created_at' },
    updatedAt: { kind: 'instant', column: 'users.updated_at' },
    lastLoginAt: { kind: 'instant', column: 'users.last_login_at', nullable: true },
  },
  shows: [
    'uuid',
    'name',
    'email',
    'phone',
    'role',
    'emailVerified',
    'createdAt',
    'updatedAt',
    'lastLoginAt',
    'pendingEmail',
    'invited',
  ],
  order: 'createdAt',
  id: 'users.id',
  example: { where: { role: 'USER' }, order: 'name ASC', limit: 20 },
})

export async function selectUserList(db: Database, accountId: number, query: ListQuery): Promise<User[]> {
  const rows = await applyList(selectUsers(db, accountId), query).execute()
  return rows.map(toUser)
}
