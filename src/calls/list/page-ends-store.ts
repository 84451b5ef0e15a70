/** SQL of the ends of pages that were read. */
import { sql } from 'kysely'
import type { PageEnd } from '../../filter/cursor.ts'
import type { Database } from '../../store/database.ts'

/** Pages of one query, read with one access token. */
export type Reading = { token: string; query: string }

/** The end of the last page that was read before this one. */
export async function selectPageEnd(
  db: Database,
  { token, query }: Reading,
  before: number,
  now: Date,
): Promise<(PageEnd & { page: number }) | undefined> {
  return await db
    .selectFrom('page_ends')
    .select(['page', 'sort_key as key', 'total', 'at_least as atLeast'])
    .where('token', '=', token)
    .where('query', '=', query)
    .where('page', '<', before)
    .where('until', '>', now)
    .orderBy('page', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** The first page begins a new reading: the ends of later pages belong to the one before. */
export async function savePageEnd(
  db: Database,
  { token, query }: Reading,
  page: number,
  { key, total, atLeast = false }: PageEnd,
  until: Date,
) {
  await sql`
    with old as (
      delete from page_ends where ${page} = 1 and token = ${token} and query = ${query} and page > 1
    )
    insert into page_ends (token, query, page, sort_key, total, at_least, until)
    values (${token}, ${query}, ${page}, ${key}::text[], ${total}, ${atLeast}, ${until})
    on conflict (token, query, page)
    do update set sort_key = excluded.sort_key, total = excluded.total, at_least = excluded.at_least,
      until = excluded.until`.execute(db)
}

export async function deleteOldPageEnds(db: Database, now: Date) {
  await db.deleteFrom('page_ends').where('until', '<', now).execute()
}
