/** Fields by which contacts are listed and searched. */
import { Contact } from '../contract/accounts/contacts.ts'
import { defineList } from '../filter/list.ts'

export const contactList = defineList({
  fields: {
    id: { kind: 'uuid', column: 'contacts.id' },
    name: { kind: 'text', column: 'contacts.name' },
    company: { kind: 'text', column: 'contacts.company' },
    numbers: {
      kind: 'text',
      column: 'contact_numbers.number',
      nullable: true,
      phone: 'E.164',
      // With the account, which the index begins with.
      through:
        'from contact_numbers where contact_numbers.account_id = contacts.account_id and contact_numbers.contact_id = contacts.id',
    },
    createdAt: { kind: 'instant', column: 'contacts.created_at' },
    updatedAt: { kind: 'instant', column: 'contacts.updated_at' },
  },
  shows: Object.keys(Contact.properties),
  order: 'name',
  id: 'contacts.id',
  example: { where: { numbers: '5548999998888' }, order: 'name ASC', limit: 20 },
})
