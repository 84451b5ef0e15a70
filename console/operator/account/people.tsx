/** Users, tokens and audit log of an account. */
import type { AuditAction } from '../../../src/contract/accounts/audit-actions.ts'
import type { OperatorAccountPage } from '../../../src/contract/operator-account.ts'
import { actionWords } from '../../pages/audit/action-words.ts'
import { useSubject } from '../../pages/audit/subject.ts'
import { useFormat } from '../../parts/format.ts'
import { commonWords } from '../../words/common.ts'
import { useWords } from '../../words/language.ts'
import { Section } from './section.tsx'
import { accountWords } from './words.ts'

type Of<Name extends 'users' | 'tokens' | 'phones' | 'audit'> = { rows: OperatorAccountPage[Name] }

type UsersProps = Of<'users'> & { onLookIn: (user: OperatorAccountPage['users'][number]) => void }

export function Users({ rows, onLookIn }: UsersProps) {
  const words = useWords(accountWords)
  const common = useWords(commonWords)
  const format = useFormat()
  return (
    <Section
      title={words.users}
      rows={rows}
      keyOf={({ uuid }) => uuid}
      columns={[
        {
          name: common.name,
          cell: ({ name, email }) => (
            <>
              <strong>{name}</strong>
              <div className="faint small">{email}</div>
            </>
          ),
        },
        {
          name: words.role,
          cell: ({ role, invited }) =>
            invited ? `${words.roles[role]} (${words.invited})` : words.roles[role],
        },
        {
          name: words.lastLogin,
          className: 'number',
          cell: ({ lastLoginAt }) => (lastLoginAt ? format.moment(lastLoginAt) : common.never),
        },
        {
          name: common.actions,
          hideName: true,
          className: 'narrow',
          cell: (user) => (
            <button
              type="button"
              className="button small"
              aria-label={words.lookInAs(user.email)}
              onClick={() => onLookIn(user)}
            >
              {words.lookIn}
            </button>
          ),
        },
      ]}
    />
  )
}

export function Tokens({ rows }: Of<'tokens'>) {
  const words = useWords(accountWords)
  const common = useWords(commonWords)
  const format = useFormat()
  return (
    <Section
      title={words.tokens}
      rows={rows}
      keyOf={({ ref }) => ref}
      columns={[
        {
          name: common.name,
          cell: ({ name, kind, lastFour, user }) => (
            <>
              <strong>{name ?? words.tokenKinds[kind]}</strong> <code>…{lastFour}</code>
              <div className="faint small">{user}</div>
            </>
          ),
        },
        {
          name: words.lastUse,
          className: 'number',
          cell: ({ lastUsedAt, lastUsedAddress }) =>
            lastUsedAt ? (
              <>
                {format.moment(lastUsedAt)}
                <div className="faint small">{lastUsedAddress}</div>
              </>
            ) : (
              common.never
            ),
        },
        {
          name: words.expires,
          className: 'number hide-narrow',
          cell: ({ expiresAt }) => (expiresAt ? format.moment(expiresAt) : common.never),
        },
      ]}
    />
  )
}

export function Phones({ rows }: Of<'phones'>) {
  const words = useWords(accountWords)
  const common = useWords(commonWords)
  const format = useFormat()
  return (
    <Section
      title={words.phones}
      rows={rows}
      keyOf={({ ramal }) => ramal}
      columns={[
        { name: common.extension, cell: ({ ramal }) => <strong className="number">{ramal}</strong> },
        { name: words.phone, cell: ({ userAgent }) => userAgent ?? '–' },
        {
          name: words.since,
          className: 'number',
          cell: ({ registeredAt }) => format.moment(registeredAt),
        },
      ]}
    />
  )
}

export function Audit({ rows }: Of<'audit'>) {
  const words = useWords(accountWords)
  const actions = useWords(actionWords)
  const subjectOf = useSubject()
  const format = useFormat()
  return (
    <Section
      title={words.audit}
      rows={rows}
      keyOf={({ id }) => id}
      columns={[
        { name: words.when, className: 'number', cell: ({ at }) => format.exact(at) },
        {
          name: words.action,
          cell: ({ action, subject, details }) => (
            <>
              {actions[action as AuditAction] ?? action}
              <div className="faint small">
                {[subjectOf({ action, subject }), details.reason]
                  .filter((part) => typeof part === 'string')
                  .join(' · ')}
              </div>
            </>
          ),
        },
        { name: words.who, cell: ({ actor }) => actor ?? words.operator },
      ]}
    />
  )
}
