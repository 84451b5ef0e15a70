/** The tables as the queries see them; `schema.sql` has every constraint and index. */
import type { GeneratedAlways, JSONColumnType } from 'kysely'
import type { Role } from '../contract/users.ts'

export type Tables = {
  accounts: {
    id: GeneratedAlways<number>
    uuid: string
    domain: string
    name: string
    email: string
    phone: string
    crm: string
    user_quantity: string
    time_zone: string
    activated_at: Date | null
    created_at: Date
    updated_at: Date
  }
  users: {
    id: GeneratedAlways<number>
    uuid: string
    account_id: number
    name: string
    email: string
    phone: string
    role: Role
    password_hash: string
    email_verified: boolean
    created_at: Date
    updated_at: Date
    last_login_at: Date | null
  }
  access_tokens: {
    hash: Buffer
    ref: string
    user_id: number
    last_four: string
    ttl: number
    created_at: Date
    expires_at: Date | null
    last_used_at: Date | null
  }
  extensions: {
    id: GeneratedAlways<number>
    account_id: number
    number: string
    password: Buffer
    caller_id: string | null
    caller_number: string | null
    first_name: string
    last_name: string
    email: string
    record_calls: boolean
    created_at: Date
    updated_at: Date
  }
  confirmations: {
    hash: Buffer
    user_id: number
    email: string
    expires_at: Date
  }
  audit: {
    id: GeneratedAlways<number>
    account_id: number
    at: Date
    action: string
    actor: string | null
    subject: string | null
    details: JSONColumnType<Record<string, unknown>>
  }
  mails: {
    id: GeneratedAlways<number>
    recipient: string
    subject: string
    body: Buffer | null
    created_at: Date
    attempts: number
    next_at: Date | null
    sent_at: Date | null
    last_error: string | null
  }
  idempotency_keys: {
    user_id: number
    route: string
    key: string
    fingerprint: Buffer
    attempt: number
    lease_until: Date
    created_at: Date
    status: number | null
    answer: Buffer | null
  }
  installation: {
    name: string
    value: string
  }
}
