/** The extensions of the account, with presence; an ADMIN creates, changes and removes them. */
import { memo, useState } from 'react'
import { request } from '../../api.ts'
import type { Extension } from '../../api-types.ts'
import { extensionsKey, useExtensions } from '../../own-extension.ts'
import { useFormat } from '../../parts/format.ts'
import { Confirm } from '../../parts/forms/confirm.tsx'
import { useAction } from '../../parts/forms/use-action.ts'
import { useFilters } from '../../parts/forms/use-filters.ts'
import { Icon } from '../../parts/icon.tsx'
import { Page } from '../../parts/page.tsx'
import { CallButton } from '../../parts/records/call-button.tsx'
import { RowActions, RowButton } from '../../parts/row-actions.tsx'
import { Searched } from '../../parts/searched.tsx'
import { Empty, Loaded } from '../../parts/states.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { isBrowserPhone } from '../../phone/state.ts'
import { useIsAdmin, useSignedIn } from '../../session.ts'
import { commonWords } from '../../words/common.ts'
import { useWords } from '../../words/language.ts'
import { ExtensionForm } from './extension-form.tsx'
import { SetupSheet } from './setup-sheet.tsx'
import { extensionWords } from './words.ts'

type Open = { what: 'form'; extension?: Extension } | { what: 'remove' | 'set-up'; extension: Extension }

export default function Extensions() {
  const words = useWords(extensionWords)
  const isAdmin = useIsAdmin()
  const extensions = useExtensions()
  const filters = useFilters()
  // The first steps lead to the form.
  const [open, setOpen] = useState<Open | undefined>(() =>
    isAdmin && filters.read('new') !== '' ? { what: 'form' } : undefined,
  )
  function close() {
    if (filters.read('new') !== '') filters.set({ new: '' })
    setOpen(undefined)
  }
  return (
    <Page
      title={words.title}
      about={words.about}
      actions={isAdmin && <CreateButton onClick={() => setOpen({ what: 'form' })} />}
    >
      <div className="card flush">
        <Loaded query={extensions}>
          {(rows) =>
            rows.length === 0 ? (
              <Empty icon="extensions" title={words.empty}>
                <p>{words.emptyAbout}</p>
                {isAdmin && <CreateButton onClick={() => setOpen({ what: 'form' })} />}
              </Empty>
            ) : (
              <Searched
                rows={rows}
                label={words.search}
                textOf={({ ramal, first_name, last_name, email_address }) =>
                  `${ramal} ${first_name} ${last_name} ${email_address}`
                }
              >
                {(shown) => <ExtensionTable rows={shown} onOpen={setOpen} />}
              </Searched>
            )
          }
        </Loaded>
      </div>
      {open?.what === 'form' && <ExtensionForm extension={open.extension} onClose={close} />}
      {open?.what === 'set-up' && <SetupSheet extension={open.extension} onClose={close} />}
      {open?.what === 'remove' && <Removal extension={open.extension} onClose={close} />}
    </Page>
  )
}

function CreateButton({ onClick }: { onClick: () => void }) {
  const words = useWords(extensionWords)
  return (
    <button type="button" className="button primary" onClick={onClick}>
      <Icon name="plus" />
      {words.create}
    </button>
  )
}

const ExtensionTable = memo(function ExtensionTable({
  rows,
  onOpen,
}: {
  rows: Extension[]
  onOpen: (open: Open) => void
}) {
  const words = useWords(extensionWords)
  const common = useWords(commonWords)
  const { user } = useSignedIn()
  const isAdmin = useIsAdmin()
  const columns: Column<Extension>[] = [
    {
      name: words.number,
      className: 'number',
      cell: ({ ramal, user_uuid }) => (
        <>
          <strong>{ramal}</strong>{' '}
          {user_uuid === user.uuid && <span className="badge accent">{words.yours}</span>}
        </>
      ),
    },
    {
      name: words.person,
      cell: ({ first_name, last_name, email_address }) => (
        <>
          {first_name} {last_name}
          <div className="faint small hide-narrow">{email_address}</div>
        </>
      ),
    },
    { name: words.presence, className: 'number', cell: (row) => <Presence extension={row} /> },
    {
      name: words.recording,
      className: 'hide-narrow',
      cell: ({ gravar_audio }) => (gravar_audio === 1 ? common.yes : common.no),
    },
    {
      name: common.actions,
      hideName: true,
      className: 'narrow',
      cell: (extension) => (
        <RowActions>
          {extension.user_uuid !== user.uuid && <CallButton number={extension.ramal} compact />}
          {(isAdmin || extension.user_uuid === user.uuid) && (
            <RowButton
              icon="phone"
              word={common.phone}
              name={`${words.setUp} ${extension.ramal}`}
              onClick={() => onOpen({ what: 'set-up', extension })}
            />
          )}
          {isAdmin && (
            <>
              <RowButton
                icon="edit"
                name={`${common.edit} ${extension.ramal}`}
                onClick={() => onOpen({ what: 'form', extension })}
              />
              <RowButton
                icon="trash"
                name={`${common.remove} ${extension.ramal}`}
                onClick={() => onOpen({ what: 'remove', extension })}
              />
            </>
          )}
        </RowActions>
      ),
    },
  ]
  return <Table caption={words.title} columns={columns} rows={rows} keyOf={({ id }) => id} />
})

function Presence({ extension }: { extension: Extension }) {
  const words = useWords(extensionWords)
  const format = useFormat()
  const { registered, registered_at, user_agent } = extension
  return (
    <>
      <span className={registered ? 'badge good' : 'badge'}>
        <span className="dot" />
        {registered ? words.online : words.offline}
      </span>
      {registered && (
        <div className="faint small hide-narrow">
          {isBrowserPhone(user_agent) ? words.browser : user_agent}
          {registered_at && <span className="hide-tight"> {words.since(format.moment(registered_at))}</span>}
        </div>
      )}
    </>
  )
}

function Removal({ extension, onClose }: { extension: Extension; onClose: () => void }) {
  const words = useWords(extensionWords)
  const common = useWords(commonWords)
  const remove = useAction({
    run: () => request('DELETE', '/extensions/{id}', { path: { id: extension.id } }),
    refresh: [extensionsKey],
    done: words.removed,
    onDone: onClose,
  })
  return (
    <Confirm
      title={words.change(extension.ramal)}
      action={common.remove}
      isBusy={remove.isPending}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      <p>{words.confirmRemove(extension.ramal)}</p>
    </Confirm>
  )
}
