/** SQL of contacts and their numbers. */
import { type RawBuilder, sql } from 'kysely'
import type { PagedQuery } from '../filter/list-query.ts'
import { readPage, selectRows } from '../filter/sql/page-sql.ts'
import type { Database } from '../store/database.ts'
import { containing } from '../store/like-pattern.ts'
import { type Contact, type ContactFields, readSearch, searchText } from './contact.ts'

/** Any fixed number that no other advisory lock of ours begins with. */
const contactsLock = 72_642_532
/** Rows of one statement. */
const batchSize = 1_000

const numbersOf = sql<string[]>`array(
  select number from contact_numbers where contact_id = contacts.id order by position)`

function selectContacts(db: Database, accountId: number) {
  return db
    .selectFrom('contacts')
    .select([
      'contacts.id',
      'contacts.name',
      'contacts.company',
      'contacts.created_at as createdAt',
      'contacts.updated_at as updatedAt',
      numbersOf.as('numbers'),
    ])
    .where('contacts.account_id', '=', accountId)
}

/** All words in the name or company, or the digits in a number. */
function matches(text: string): RawBuilder<boolean> {
  const { words, digits } = readSearch(text)
  const inText = words.map((word) => sql`contacts.search_text like ${containing(word)}`)
  const inNumber = sql`exists (select from contact_numbers where contact_numbers.account_id = contacts.account_id
    and contact_numbers.contact_id = contacts.id and contact_numbers.number like ${containing(digits ?? '')})`
  const all = inText.length > 0 ? sql`(${sql.join(inText, sql` and `)})` : sql`true`
  return digits === undefined ? sql<boolean>`${all}` : sql<boolean>`(${all} or ${inNumber})`
}

const found = (db: Database, accountId: number, search: string) =>
  selectContacts(db, accountId).where(matches(search))

export const readContacts = (db: Database, accountId: number, query: PagedQuery, search: string) =>
  readPage(found(db, accountId, search), query)

/** Without their total. */
export const readContactRows = (db: Database, accountId: number, query: PagedQuery, search: string) =>
  selectRows(found(db, accountId, search), query)

export async function findContact(db: Database, accountId: number, id: string): Promise<Contact | undefined> {
  return await selectContacts(db, accountId).where('contacts.id', '=', id).executeTakeFirst()
}

/** One transaction at a time changes contacts of an account. */
export async function lockContacts(tx: Database, accountId: number) {
  await sql`select pg_advisory_xact_lock(${contactsLock}::int, hashint8(${accountId}))`.execute(tx)
}

export async function countContacts(db: Database, accountId: number): Promise<number> {
  const { total } = await db
    .selectFrom('contacts')
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow()
  return total
}

/** Those that have one of the numbers. */
export async function findByNumbers(
  db: Database,
  accountId: number,
  numbers: readonly string[],
): Promise<Contact[]> {
  const ids = sql<string>`any(array(select contact_id from contact_numbers
    where account_id = ${accountId} and number = any(${numbers}::text[])))`
  return await selectContacts(db, accountId).where('contacts.id', '=', ids).execute()
}

type Stored = ContactFields & { id: string }

/** Call it with the contacts locked. */
export async function insertContacts(
  tx: Database,
  accountId: number,
  contacts: readonly Stored[],
  now: Date,
) {
  const rows = contacts.map(({ id, name, company }) => ({
    id,
    account_id: accountId,
    name,
    company,
    search_text: textOf({ name, company }),
    created_at: now,
    updated_at: now,
  }))
  for (const batch of batchesOf(rows)) await tx.insertInto('contacts').values(batch).execute()
  await insertNumbers(tx, accountId, contacts)
}

export async function updateContact(tx: Database, accountId: number, contact: Stored, now: Date) {
  const { id, name, company } = contact
  await tx
    .updateTable('contacts')
    .set({ name, company, search_text: textOf(contact), updated_at: now })
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .execute()
  await tx.deleteFrom('contact_numbers').where('contact_id', '=', id).execute()
  await insertNumbers(tx, accountId, [contact])
}

export async function deleteContact(tx: Database, accountId: number, id: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('contacts')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

async function insertNumbers(tx: Database, accountId: number, contacts: readonly Stored[]) {
  const rows = contacts.flatMap(({ id, numbers }) =>
    numbers.map((number, position) => ({ account_id: accountId, number, contact_id: id, position })),
  )
  for (const batch of batchesOf(rows)) await tx.insertInto('contact_numbers').values(batch).execute()
}

const textOf = ({ name, company }: Pick<ContactFields, 'name' | 'company'>) =>
  searchText(`${name}\n${company}`)

function* batchesOf<T>(rows: readonly T[]): Generator<T[]> {
  for (let first = 0; first < rows.length; first += batchSize) yield rows.slice(first, first + batchSize)
}
