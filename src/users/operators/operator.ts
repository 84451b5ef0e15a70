/**
 * An operator (D648): a person who operates the service, with a password and a second factor of their own. No user of an account
 * is one.
 *
 *   invited (a set-up link works once) ──▶ active ◀──▶ off
 *      ▲                                     │
 *      └──────────────── reset ──────────────┘
 */
import { problem, refuse, refuseFields } from '../../contract/errors.ts'
import type { OperatorState } from '../../contract/operator-people.ts'
import { readEmail } from '../../kit/text/email.ts'
import { problemOfName } from '../user.ts'
import type { OperatorRow } from './operators-store.ts'

/** D648: how long a set-up link works. */
export const linkSeconds = 48 * 3_600
/** D648: a session ends this long after the log-in, however much it is used: as that of the operator token. */
export const sessionSeconds = 12 * 3_600

export type Operator = {
  id: number
  name: string
  email: string
  state: OperatorState
  createdAt: Date
  lastLoginAt: Date | null
  /** End of a set-up link that was not used. */
  linkExpiresAt: Date | null
}

export function toOperator(row: OperatorRow): Operator {
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    state: stateOf(row),
    createdAt: row.created_at,
    lastLoginAt: row.last_login_at,
    linkExpiresAt: row.link_expires_at,
  }
}

function stateOf({ off_since, password_hash, second_factor }: OperatorRow): OperatorState {
  if (off_since !== null) return 'off'
  return password_hash === null || second_factor === null ? 'invited' : 'active'
}

/** As they are stored; refuses those that cannot be used. */
export function readPerson({ name: given, email: address }: { name: string; email: string }) {
  const name = given.trim()
  const wrongName = problemOfName(name)
  if (wrongName) throw refuseFields('Operator', { name: [wrongName] })
  const email = readEmail(address)
  if (email === undefined) throw refuseFields('Operator', { email: [problem.noEmail] })
  return { name, email }
}

/** By which attempts of one operator are counted and known browsers are signed: no uuid of a user. */
export const keyOf = ({ id }: { id: number }) => `operator ${id}`

export const refuseNoOperator = () =>
  refuse('ROUTE_NOT_FOUND', {
    message: { en: 'There is no such operator.', pt: 'Este operador não existe.' },
  })
