/** The users of the account: invite, change, end their access, remove. */
import { useQuery } from '@tanstack/react-query'
import { memo, useState } from 'react'
import { request } from '../../api.ts'
import type { User } from '../../api-types.ts'
import { useExtensions } from '../../own-extension.ts'
import { useFormat } from '../../parts/format.ts'
import { Confirm } from '../../parts/forms/confirm.tsx'
import { Check } from '../../parts/forms/field.tsx'
import { useAction } from '../../parts/forms/use-action.ts'
import { Icon } from '../../parts/icon.tsx'
import { Page } from '../../parts/page.tsx'
import { RowActions, RowButton } from '../../parts/row-actions.tsx'
import { Searched } from '../../parts/searched.tsx'
import { Loaded } from '../../parts/states.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { useSignedIn } from '../../session.ts'
import { commonWords } from '../../words/common.ts'
import { useWords } from '../../words/language.ts'
import { UserForm, usersKey } from './user-form.tsx'
import { userWords } from './words.ts'

type Open = { what: 'invite' } | { what: 'edit' | 'end' | 'remove'; user: User }

export default function Users() {
  const words = useWords(userWords)
  const users = useQuery({ queryKey: usersKey, queryFn: () => request('GET', '/users') })
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  return (
    <Page
      title={words.title}
      about={words.about}
      actions={
        <button type="button" className="button primary" onClick={() => setOpen({ what: 'invite' })}>
          <Icon name="plus" />
          {words.invite}
        </button>
      }
    >
      <div className="card flush">
        <Loaded query={users}>
          {(users) => (
            <Searched rows={users} label={words.search} textOf={({ name, email }) => `${name} ${email}`}>
              {(rows) => <UserTable rows={rows} onOpen={setOpen} />}
            </Searched>
          )}
        </Loaded>
      </div>
      {open?.what === 'invite' && <UserForm onClose={close} />}
      {open?.what === 'edit' && <UserForm user={open.user} onClose={close} />}
      {open?.what === 'end' && <EndAccess user={open.user} onClose={close} />}
      {open?.what === 'remove' && <Removal user={open.user} onClose={close} />}
    </Page>
  )
}

const UserTable = memo(function UserTable({ rows, onOpen }: { rows: User[]; onOpen: (open: Open) => void }) {
  const words = useWords(userWords)
  const common = useWords(commonWords)
  const format = useFormat()
  const { user: me } = useSignedIn()
  const columns: Column<User>[] = [
    {
      name: common.name,
      cell: ({ name, email, uuid }) => (
        <>
          <strong>{name}</strong> {uuid === me.uuid && <span className="badge accent">{words.you}</span>}
          <div className="faint small breakable">{email}</div>
        </>
      ),
    },
    { name: words.role, cell: ({ role }) => (role === 'ADMIN' ? words.admin : words.user) },
    { name: common.status, cell: (user) => <State user={user} /> },
    {
      name: words.lastLogin,
      className: 'hide-tight',
      cell: ({ lastLoginAt }) => (lastLoginAt ? format.moment(lastLoginAt) : common.never),
    },
    {
      name: common.actions,
      hideName: true,
      className: 'narrow',
      cell: (user) => <Actions user={user} isMe={user.uuid === me.uuid} onOpen={onOpen} />,
    },
  ]
  return <Table caption={words.title} columns={columns} rows={rows} keyOf={({ uuid }) => uuid} />
})

function State({ user: { invited, emailVerified } }: { user: User }) {
  const words = useWords(userWords)
  if (invited) return <span className="badge warn">{words.waiting}</span>
  return emailVerified ? (
    <span className="badge good">{words.active}</span>
  ) : (
    <span className="badge warn">{words.unconfirmed}</span>
  )
}

type ActionsProps = { user: User; isMe: boolean; onOpen: (open: Open) => void }

function Actions({ user, isMe, onOpen }: ActionsProps) {
  const words = useWords(userWords)
  const common = useWords(commonWords)
  const invite = useAction({
    run: () => request('POST', '/users/invitations', { body: { uuid: user.uuid } }),
    refresh: [usersKey],
    done: words.sentAgain,
  })
  const confirm = useAction({
    run: () => request('POST', '/users/resend-confirmation', { body: { email: user.email } }),
    refresh: [],
    done: words.confirmationSent,
  })
  return (
    <RowActions>
      {!user.invited && !user.emailVerified && (
        <RowButton
          icon="refresh"
          name={`${words.confirmAgain}: ${user.name}`}
          isBusy={confirm.isPending}
          onClick={() => confirm.mutate()}
        />
      )}
      {user.invited ? (
        <RowButton
          icon="refresh"
          name={`${words.again}: ${user.name}`}
          isBusy={invite.isPending}
          onClick={() => invite.mutate()}
        />
      ) : (
        !isMe && (
          <RowButton
            icon="signout"
            word={words.endTokens}
            name={`${words.endTokens}: ${user.name}`}
            onClick={() => onOpen({ what: 'end', user })}
          />
        )
      )}
      <RowButton icon="edit" name={words.edit(user.name)} onClick={() => onOpen({ what: 'edit', user })} />
      {!isMe && (
        <RowButton
          icon="trash"
          name={`${common.remove} ${user.name}`}
          onClick={() => onOpen({ what: 'remove', user })}
        />
      )}
    </RowActions>
  )
}

function EndAccess({ user: { uuid, name }, onClose }: { user: User; onClose: () => void }) {
  const words = useWords(userWords)
  const end = useAction({
    run: () => request('DELETE', '/users/accessTokens', { query: { user: uuid } }),
    refresh: [usersKey],
    done: ({ revoked }) => words.tokensEnded(revoked),
    onDone: onClose,
  })
  return (
    <Confirm
      title={name}
      action={words.endTokens}
      isBusy={end.isPending}
      onConfirm={() => end.mutate()}
      onClose={onClose}
    >
      <p>{words.confirmEnd(name)}</p>
    </Confirm>
  )
}

/** D490: the person knows `senha` of their extensions, so that these get a new one unless the ADMIN keeps it. */
function Removal({ user: { uuid, name }, onClose }: { user: User; onClose: () => void }) {
  const words = useWords(userWords)
  const common = useWords(commonWords)
  const extensions = useExtensions()
  const theirs = (extensions.data ?? []).filter(({ user_uuid }) => user_uuid === uuid)
  const [changesSenha, setChangesSenha] = useState(true)
  const remove = useAction({
    run: () => {
      const query = { keepSenha: String(!changesSenha) }
      return request('DELETE', '/users/{uuid}', { path: { uuid }, query })
    },
    refresh: [usersKey],
    done: words.removed,
    onDone: onClose,
  })
  return (
    <Confirm
      title={name}
      action={common.remove}
      isBusy={remove.isPending}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      <p>{words.confirmRemove(name)}</p>
      {theirs.length > 0 && (
        <Check
          label={words.newSenha(theirs.map(({ ramal }) => ramal).join(', '))}
          hint={words.newSenhaHint}
          checked={changesSenha}
          onChange={(event) => setChangesSenha(event.currentTarget.checked)}
        />
      )}
    </Confirm>
  )
}
