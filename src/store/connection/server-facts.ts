/** What `ramal doctor` reads of the database server. */
import { sql } from 'kysely'
import type { Database } from '../database.ts'

type ServerFacts = {
  /** As `server_version_num`: 150004 is version 15.4. */
  version: number
  encoding: string
  /** For users who are no superuser. */
  connections: number
  now: Date
}

export async function readServerFacts(db: Database): Promise<ServerFacts | undefined> {
  const { rows } = await sql<ServerFacts>`
    select current_setting('server_version_num')::int as version,
      current_setting('server_encoding') as encoding, clock_timestamp() as now,
      current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
        - coalesce(current_setting('reserved_connections', true)::int, 0) as connections`.execute(db)
  return rows[0]
}
