/** Lists, makes, changes, removes and imports the contacts of an account (D596, D597, D598). */
import type { ContactImportResult } from '../contract/accounts/contacts.ts'
import { problem, refuse, refuseFields } from '../contract/errors.ts'
import { allPages } from '../filter/all-pages.ts'
import type { PagedQuery } from '../filter/list-query.ts'
import type { PageOf } from '../filter/page.ts'
import type { Clock } from '../kit/clock.ts'
import { isUuid, uuidv7 } from '../kit/ids.ts'
import type { Database } from '../store/database.ts'
import type { InSameTransaction } from '../store/idempotency.ts'
import type { Searches } from '../store/searches.ts'
import type { Caller } from '../users/caller.ts'
import { type Contact, type ContactFields, readContact } from './contact.ts'
import {
  countContacts,
  deleteContact,
  findByNumbers,
  findContact,
  insertContacts,
  lockContacts,
  readContactRows,
  readContacts,
  updateContact,
} from './contacts-store.ts'
import { readContactFile } from './importing/contact-file.ts'
import { planImport } from './importing/import-plan.ts'

/** D596: contacts of an account. */
const maxContacts = 50_000

type Deps = { db: Database; clock: Clock; searches: Searches }

export function createContacts({ db, clock, searches }: Deps) {
  async function list({ accountId }: Caller, query: PagedQuery, search: string): Promise<PageOf<Contact>> {
    return await searches.run(accountId, (one) => readContacts(one, accountId, query, search))
  }

  /** D301: the whole list. */
  function listAll({ accountId }: Caller, query: PagedQuery, search: string): AsyncGenerator<Contact[]> {
    return allPages(query, (page) =>
      searches.run(accountId, (one) => readContactRows(one, accountId, page, search)),
    )
  }

  async function find({ accountId }: Caller, id: string, handle: Database = db): Promise<Contact> {
    const contact = isUuid(id) ? await findContact(handle, accountId, id) : undefined
    if (!contact) throw refuse('CONTACT_NOT_FOUND')
    return contact
  }

  async function create(
    caller: Caller,
    input: ContactFields,
    saveAnswer?: InSameTransaction<Contact>,
  ): Promise<Contact> {
    return await db.transaction().execute(async (tx) => {
      await lockContacts(tx, caller.accountId)
      const now = clock.now()
      const id = uuidv7(now)
      const fields = await readFree(tx, caller, id, input)
      await checkRoom(tx, caller, 1)
      await insertContacts(tx, caller.accountId, [{ ...fields, id }], now)
      const made = await find(caller, id, tx)
      await saveAnswer?.(tx, made)
      return made
    })
  }

  /** Refused with all that is wrong. Call it with the contacts locked: nobody else takes a number meanwhile. */
  async function readFree<T extends Partial<ContactFields>>(
    tx: Database,
    { accountId }: Caller,
    id: string,
    input: T,
  ): Promise<T> {
    const { fields, problems } = readContact(input)
    const owners = await findByNumbers(tx, accountId, fields.numbers ?? [])
    if (owners.some((owner) => owner.id !== id)) {
      problems.numbers = [...(problems.numbers ?? []), problem.taken]
    }
    if (Object.keys(problems).length > 0) throw refuseFields('Contact', problems)
    return fields
  }

  async function checkRoom(tx: Database, { accountId }: Caller, more: number) {
    if (more > 0 && (await countContacts(tx, accountId)) + more > maxContacts) throw refuse('CONTACT_LIMIT')
  }

  async function update(caller: Caller, id: string, input: Partial<ContactFields>): Promise<Contact> {
    return await db.transaction().execute(async (tx) => {
      await lockContacts(tx, caller.accountId)
      const before = await find(caller, id, tx)
      const change = await readFree(tx, caller, before.id, input)
      await updateContact(tx, caller.accountId, { ...before, ...change }, clock.now())
      return await find(caller, id, tx)
    })
  }

  async function remove({ accountId }: Caller, id: string) {
    const isGone = isUuid(id) && (await deleteContact(db, accountId, id))
    if (!isGone) throw refuse('CONTACT_NOT_FOUND')
  }

  /** D598: a preview answers what the import would, and stores nothing. */
  async function importFile(caller: Caller, csv: string, preview: boolean): Promise<ContactImportResult> {
    const { accountId } = caller
    const file = readContactFile(csv)
    return await db.transaction().execute(async (tx) => {
      if (!preview) await lockContacts(tx, accountId)
      const known = await findByNumbers(
        tx,
        accountId,
        file.flatMap(({ numbers }) => numbers),
      )
      const { lines, creates, updates } = planImport(file, known)
      await checkRoom(tx, caller, creates.length)
      if (!preview) {
        const now = clock.now()
        const made = creates.map((fields) => ({ ...fields, id: uuidv7(now) }))
        await insertContacts(tx, accountId, made, now)
        for (const contact of updates) await updateContact(tx, accountId, contact, now)
      }
      const countOf = (action: string) => lines.filter((line) => line.action === action).length
      return {
        preview,
        created: countOf('create'),
        updated: countOf('update'),
        same: countOf('same'),
        refused: countOf('refuse'),
        lines,
      }
    })
  }

  return { list, listAll, find, create, update, remove, importFile }
}
export type Contacts = ReturnType<typeof createContacts>
