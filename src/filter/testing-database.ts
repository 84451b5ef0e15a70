/** The database the tests of this room run against. */
import pg from 'pg'

/** Named by RAMAL_TEST_DATABASE, else by PostgreSQL's own variables (PGHOST, PGPORT, PGUSER). */
export function connectTestDatabase(): pg.Pool {
  const connectionString = process.env.RAMAL_TEST_DATABASE
  return new pg.Pool(connectionString === undefined ? {} : { connectionString })
}
