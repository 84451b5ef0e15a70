/** Contacts of the account (D596 to D598). */
import type { Contact as ContactRecord } from '../../../contacts/contact.ts'
import { contactList } from '../../../contacts/contact-list.ts'
import type { Contacts } from '../../../contacts/contacts.ts'
import {
  Contact,
  ContactImport,
  ContactImportResult,
  ContactPatch,
  NewContact,
} from '../../../contract/accounts/contacts.ts'
import { refuseParameter } from '../../../contract/errors.ts'
import { expensive } from '../../../contract/limits.ts'
import { listed, PageMeta } from '../../../contract/schema/common.ts'
import { Type } from '../../../contract/schema/type.ts'
import { readPagedList } from '../../../filter/list-query.ts'
import { pageMeta } from '../../../filter/page.ts'
import { pickFields } from '../../../filter/selection.ts'
import { defined } from '../../../kit/defined.ts'
import { type AnyEntry, entry, type Query } from '../../entry.ts'
import { type Exports, fileFormat, formatParameter } from '../../export.ts'
import { pageParameters } from '../parameters.ts'

const tag = 'Contacts'
const scope = 'contacts'

type Deps = { contacts: Contacts; exports: Exports; strictPaging: boolean }

export function contactRoutes({ contacts, exports, strictPaging }: Deps): AnyEntry[] {
  return [
    entry({
      method: 'GET',
      path: '/contacts',
      tag,
      about: 'List the contacts of the account, by name',
      may: 'contacts.use',
      scope,
      limit: 'other',
      query: {
        search: {
          about: 'Words in name or company, without regard to case and accents, or digits of a number',
          example: 'carla',
        },
        ...pageParameters(contactList),
        format: formatParameter,
      },
      reply: Type.Object({ data: Type.Array(listed(Contact)), meta: PageMeta }),
      errors: ['MISSING_REQUIRED_PARAMETER', 'EXPORT_RUNNING', 'SEARCH_TOO_EXPENSIVE', 'SEARCHES_BUSY'],
      async run({ caller, query: { format, search: given, ...query }, headers }) {
        const { timeZone } = caller
        const file = fileFormat({ format }, headers)
        const search = readSearchText(given)
        const asked = readPagedList(contactList, query, { timeZone, strictPaging })
        const shown = (contact: ContactRecord) => pickFields(asked.fields, present(contact))
        if (file) {
          return await exports.answer(caller, {
            format: file,
            name: 'contacts',
            columns: contactList.shows.filter((name) => asked.fields?.has(name) ?? true),
            pages: contacts.listAll(caller, asked, search),
            write: (contact) => JSON.stringify(shown(contact)),
            cells: (contact) => ({ ...shown(contact), numbers: contact.numbers.join(', ') }),
          })
        }
        const { rows, ...page } = await contacts.list(caller, asked, search)
        return { data: rows.map(shown), meta: pageMeta(asked, page) }
      },
    }),
    entry({
      method: 'GET',
      path: '/contacts/:id',
      tag,
      about: 'Show one contact',
      may: 'contacts.use',
      scope,
      limit: 'other',
      reply: Contact,
      errors: ['CONTACT_NOT_FOUND'],
      run: async ({ caller, params: { id = '' } }) => present(await contacts.find(caller, id)),
    }),
    entry({
      method: 'POST',
      path: '/contacts',
      tag,
      about: 'Add a contact',
      may: 'contacts.use',
      scope,
      limit: 'other',
      idempotent: true,
      body: NewContact,
      reply: Contact,
      errors: ['CONTACT_LIMIT'],
      async run({ caller, body: { name, company = '', numbers = [] }, saveAnswer }) {
        const made = await contacts.create(caller, { name, company, numbers }, (tx, one) =>
          saveAnswer(tx, present(one)),
        )
        return present(made)
      },
    }),
    entry({
      method: 'PATCH',
      path: '/contacts/:id',
      tag,
      about: 'Change a contact; `numbers` replaces all of its numbers',
      may: 'contacts.use',
      scope,
      limit: 'other',
      body: ContactPatch,
      reply: Contact,
      errors: ['CONTACT_NOT_FOUND'],
      async run({ caller, params: { id = '' }, body: { name, company, numbers } }) {
        return present(await contacts.update(caller, id, defined({ name, company, numbers })))
      },
    }),
    entry({
      method: 'DELETE',
      path: '/contacts/:id',
      tag,
      about: 'Remove a contact; calls stay as they are',
      may: 'contacts.manage',
      scope,
      limit: 'other',
      reply: Type.Object({ id: Contact.properties.id }),
      errors: ['CONTACT_NOT_FOUND'],
      async run({ caller, params: { id = '' } }) {
        await contacts.remove(caller, id)
        return { id }
      },
    }),
    entry({
      method: 'POST',
      path: '/contacts/import',
      tag,
      about: 'Add and change contacts by a CSV file of up to 5,000 lines, after a preview',
      notes:
        'With `preview` the answer says for each line what would happen. A contact that has one of the numbers of a line is changed, ' +
        'otherwise one is made. Lines that are refused do not keep the others from being stored.',
      may: 'contacts.manage',
      scope,
      limit: 'other',
      weight: expensive,
      body: ContactImport,
      reply: ContactImportResult,
      errors: ['CONTACT_LIMIT'],
      run: async ({ caller, body }) => await contacts.importFile(caller, body.csv, body.preview ?? false),
    }),
  ]
}

const maxSearch = 100

function readSearchText(given: Query[string]): string {
  if (given === undefined) return ''
  if (typeof given !== 'string' || given.length > maxSearch || given.includes('\0')) {
    throw refuseParameter('search', {
      en: `must be one text of up to ${maxSearch} characters`,
      pt: `deve ser um único texto de até ${maxSearch} caracteres`,
    })
  }
  return given
}

function present({ createdAt, updatedAt, numbers, id, name, company }: ContactRecord) {
  return {
    id,
    name,
    company,
    numbers: [...numbers],
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  }
}
