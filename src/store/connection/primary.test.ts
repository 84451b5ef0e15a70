/** D635: servers of DATABASE_URL. Two real ones that change places are in test/fleet/failover.test.ts. */
import { expect, test } from 'vitest'
import { postgresUrls } from '../../kit/postgres-urls.ts'
import { isDatabaseDown } from './database-errors.ts'
import { readServers } from './primary.ts'

test('hosts are listed as libpq lists them, each with its port', () => {
  expect(postgresUrls('postgres://u:p@one:5432,two:5433/db?sslmode=require')).toEqual([
    'postgres://u:p@one:5432/db?sslmode=require',
    'postgres://u:p@two:5433/db?sslmode=require',
  ])
  expect(postgresUrls('postgresql://one,[::1]:5433')).toEqual(['postgresql://one', 'postgresql://[::1]:5433'])
})

test('a single server is taken as it is, also with a comma in its password or parameters', () => {
  for (const url of ['postgres://u:a,b@one/db', 'postgres://u@one/db?options=-c%20a=1,2', 'postgres:///db']) {
    expect(postgresUrls(url)).toEqual([url])
    expect(readServers(url)).toEqual({ url, findPrimary: undefined })
  }
})

test('servers that cannot be reached are a database that is down', async () => {
  const { findPrimary } = readServers('postgres://u@127.0.0.1:1,127.0.0.1:2/db')
  const error = await findPrimary?.().catch((reason: unknown) => reason)
  expect(isDatabaseDown(error)).toBe(true)
})
