/** The access tokens of the person, and the browsers in which they are signed in. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { request } from '../../api.ts'
import type { ListedToken } from '../../api-types.ts'
import { browserOf } from '../../parts/browser.ts'
import { useFormat } from '../../parts/format.ts'
import { Confirm } from '../../parts/forms/confirm.tsx'
import { useAction } from '../../parts/forms/use-action.ts'
import { Icon } from '../../parts/icon.tsx'
import { Page } from '../../parts/page.tsx'
import { Empty, Loaded } from '../../parts/states.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { commonWords } from '../../words/common.ts'
import { useWords } from '../../words/language.ts'
import { scopeWords } from '../../words/scopes.ts'
import { TokenForm, tokensKey } from './token-form.tsx'
import { tokenWords } from './words.ts'

export default function Tokens() {
  const words = useWords(tokenWords)
  const tokens = useQuery({ queryKey: tokensKey, queryFn: () => request('GET', '/users/accessTokens') })
  const [isCreating, setIsCreating] = useState(false)
  const [revoking, setRevoking] = useState<ListedToken>()
  return (
    <Page
      title={words.title}
      about={words.about}
      actions={
        <button type="button" className="button primary" onClick={() => setIsCreating(true)}>
          <Icon name="plus" />
          {words.create}
        </button>
      }
    >
      <Loaded query={tokens}>
        {(rows) => (
          <div className="stack">
            <TokenList rows={rows.filter(({ kind }) => kind === 'token')} onRevoke={setRevoking} />
            <SessionList rows={rows.filter(({ kind }) => kind === 'session')} onRevoke={setRevoking} />
          </div>
        )}
      </Loaded>
      {isCreating && <TokenForm onClose={() => setIsCreating(false)} />}
      {revoking && <Revocation token={revoking} onClose={() => setRevoking(undefined)} />}
    </Page>
  )
}

type ListProps = { rows: ListedToken[]; onRevoke: (token: ListedToken) => void }

function TokenList({ rows, onRevoke }: ListProps) {
  const words = useWords(tokenWords)
  const scopeNames = useWords(scopeWords)
  const common = useWords(commonWords)
  const columns: Column<ListedToken>[] = [
    {
      name: common.name,
      cell: ({ name, lastFour, fromLogin }) => (
        <>
          <strong>{name ?? words.unnamed}</strong> <span className="faint small mono">…{lastFour}</span>
          {fromLogin && <div className="faint small">{words.fromLogin}</div>}
        </>
      ),
    },
    {
      name: words.rightsShort,
      className: 'hide-narrow small',
      cell: ({ scopes }) => (scopes ? scopes.map((scope) => scopeNames[scope]).join(', ') : words.everything),
    },
    ...useTimeColumns(),
    revokeColumn(words.revoke, common.actions, onRevoke),
  ]
  return (
    <section className="card flush">
      <h2 className="card-title">{words.tokens}</h2>
      {rows.length === 0 ? (
        <Empty icon="tokens" title={words.empty}>
          <p>{words.emptyAbout}</p>
        </Empty>
      ) : (
        <Table caption={words.tokens} columns={columns} rows={rows} keyOf={({ ref }) => ref} />
      )}
    </section>
  )
}

function SessionList({ rows, onRevoke }: ListProps) {
  const words = useWords(tokenWords)
  const common = useWords(commonWords)
  const columns: Column<ListedToken>[] = [
    {
      name: words.device,
      cell: ({ userAgent, current }) => (
        <>
          {browserOf(userAgent)} {current && <span className="badge accent">{words.thisOne}</span>}
        </>
      ),
    },
    ...useTimeColumns(),
    revokeColumn(words.end, common.actions, onRevoke),
  ]
  return (
    <section className="card flush">
      <h2 className="card-title">{words.sessions}</h2>
      <Table caption={words.sessions} columns={columns} rows={rows} keyOf={({ ref }) => ref} />
    </section>
  )
}

function useTimeColumns(): Column<ListedToken>[] {
  const words = useWords(tokenWords)
  const common = useWords(commonWords)
  const format = useFormat()
  return [
    {
      name: words.lastUse,
      className: 'number',
      cell: ({ lastUsed, lastUsedAddress }) =>
        lastUsed ? (
          <>
            {format.moment(lastUsed)}
            <div className="faint small mono hide-tight">{lastUsedAddress}</div>
          </>
        ) : (
          common.never
        ),
    },
    {
      name: words.expires,
      className: 'number',
      cell: ({ expires }) => (expires ? format.moment(expires) : common.never),
    },
  ]
}

function revokeColumn(
  verb: string,
  name: string,
  onRevoke: (token: ListedToken) => void,
): Column<ListedToken> {
  return {
    name,
    hideName: true,
    className: 'narrow',
    cell: (token) =>
      !token.current && (
        <button type="button" className="button small" onClick={() => onRevoke(token)}>
          {verb}
          <span className="visually-hidden"> {token.name ?? token.lastFour}</span>
        </button>
      ),
  }
}

function Revocation({ token, onClose }: { token: ListedToken; onClose: () => void }) {
  const words = useWords(tokenWords)
  const { ref, name, lastFour, kind } = token
  const revoke = useAction({
    run: () => request('DELETE', '/users/accessTokens/{ref}', { path: { ref } }),
    refresh: [tokensKey],
    done: words.revoked,
    onDone: onClose,
  })
  const isSession = kind === 'session'
  return (
    <Confirm
      title={isSession ? words.sessions : words.tokens}
      action={isSession ? words.end : words.revoke}
      isBusy={revoke.isPending}
      onConfirm={() => revoke.mutate()}
      onClose={onClose}
    >
      <p>{isSession ? words.confirmEnd : words.confirmRevoke(name ?? `…${lastFour}`)}</p>
    </Confirm>
  )
}
