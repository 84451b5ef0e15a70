/** The database the tests of this module run against. */
import pg from 'pg'
import { inject } from 'vitest'

export function connectTestDatabase(): pg.Pool {
  return new pg.Pool({ connectionString: inject('adminUrl') })
}
