/** The contacts of the account: search, add, change, call; ADMINs also remove and import. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { memo, useState } from 'react'
import { request } from '../../api.ts'
import type { Contact } from '../../api-types.ts'
import { Confirm } from '../../parts/forms/confirm.tsx'
import { SearchInput } from '../../parts/forms/search-input.tsx'
import { useAction } from '../../parts/forms/use-action.ts'
import { useFilters } from '../../parts/forms/use-filters.ts'
import { Icon } from '../../parts/icon.tsx'
import { Page } from '../../parts/page.tsx'
import { CallButton } from '../../parts/records/call-button.tsx'
import { RowActions, RowButton } from '../../parts/row-actions.tsx'
import { Empty, Loaded } from '../../parts/states.tsx'
import { type Column, Pager, rowsPerPage, Table } from '../../parts/table.tsx'
import { telephone } from '../../parts/telephone.ts'
import { useSignedIn } from '../../session.ts'
import { commonWords } from '../../words/common.ts'
import { useWords } from '../../words/language.ts'
import { ContactForm, contactsKey } from './contact-form.tsx'
import { ImportDialog } from './import-dialog.tsx'
import { contactWords } from './words.ts'

type Open = { what: 'add' | 'import' } | { what: 'edit' | 'remove'; contact: Contact }
const filter = JSON.stringify({ limit: rowsPerPage })

export default function Contacts() {
  const words = useWords(contactWords)
  const filters = useFilters()
  const { user } = useSignedIn()
  const isAdmin = user.role === 'ADMIN'
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  const search = filters.read('search')
  const contacts = useQuery({
    queryKey: [...contactsKey, filters.page, search],
    queryFn: () => request('GET', '/contacts', { query: { page: filters.page, search, filter } }),
    placeholderData: keepPreviousData,
  })
  return (
    <Page
      title={words.title}
      about={words.about}
      actions={
        <>
          {isAdmin && (
            <button type="button" className="button" onClick={() => setOpen({ what: 'import' })}>
              {words.import}
            </button>
          )}
          <button type="button" className="button primary" onClick={() => setOpen({ what: 'add' })}>
            <Icon name="plus" />
            {words.add}
          </button>
        </>
      }
    >
      <div className="card flush">
        <search className="list-search">
          <SearchInput
            label={words.search}
            value={search}
            onSearch={(text) => filters.set({ search: text })}
          />
        </search>
        <Loaded query={contacts}>
          {({ data, meta }) =>
            data.length === 0 ? (
              <Empty icon="users" title={search === '' ? words.none : words.noMatch}>
                {search === '' && <p>{words.noneAbout}</p>}
              </Empty>
            ) : (
              <>
                <Rows rows={data as Contact[]} isAdmin={isAdmin} onOpen={setOpen} />
                <Pager meta={meta} onPage={filters.setPage} />
              </>
            )
          }
        </Loaded>
      </div>
      {open?.what === 'add' && <ContactForm onClose={close} />}
      {open?.what === 'edit' && <ContactForm contact={open.contact} onClose={close} />}
      {open?.what === 'remove' && <Removal contact={open.contact} onClose={close} />}
      {open?.what === 'import' && <ImportDialog onClose={close} />}
    </Page>
  )
}

type RowsProps = { rows: Contact[]; isAdmin: boolean; onOpen: (open: Open) => void }

const Rows = memo(function Rows({ rows, isAdmin, onOpen }: RowsProps) {
  const words = useWords(contactWords)
  const columns = useColumns(isAdmin, onOpen)
  return <Table caption={words.title} columns={columns} rows={rows} keyOf={({ id }) => id} />
})

function useColumns(isAdmin: boolean, onOpen: (open: Open) => void): Column<Contact>[] {
  const words = useWords(contactWords)
  const common = useWords(commonWords)
  return [
    {
      name: words.name,
      cell: ({ name, company }) => (
        <>
          {name}
          <div className="faint small only-narrow">{company}</div>
        </>
      ),
    },
    { name: words.company, className: 'hide-narrow', cell: ({ company }) => company },
    { name: words.numbers, className: 'number', cell: ({ numbers }) => numbers.map(telephone).join(', ') },
    {
      name: common.actions,
      hideName: true,
      className: 'narrow',
      cell: (contact) => (
        <RowActions>
          {contact.numbers[0] && <CallButton number={contact.numbers[0]} compact />}
          <RowButton
            icon="edit"
            name={words.edit(contact.name)}
            onClick={() => onOpen({ what: 'edit', contact })}
          />
          {isAdmin && (
            <RowButton
              icon="trash"
              name={`${common.remove} ${contact.name}`}
              onClick={() => onOpen({ what: 'remove', contact })}
            />
          )}
        </RowActions>
      ),
    },
  ]
}

function Removal({ contact: { id, name }, onClose }: { contact: Contact; onClose: () => void }) {
  const words = useWords(contactWords)
  const common = useWords(commonWords)
  const remove = useAction({
    run: () => request('DELETE', '/contacts/{id}', { path: { id } }),
    refresh: [contactsKey],
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
    </Confirm>
  )
}
