/**
 * Transactions of few round trips: a statement is sent without waiting for the answer to the one before it. Locks that the
 * last statements take are held only while the server works, not while this process is busy with other things.
 */
import { CompiledQuery } from 'kysely'
import type { Database } from '../database.ts'

/** Runs compiled statements: a database, a transaction or a pipeline. */
export type Statements = Pick<Database, 'executeQuery'>

type Results<Last extends readonly unknown[]> = { [Index in keyof Last]: Awaited<Last[Index]> }

/**
 * Statements are sent as soon as `run` calls for them, in that order; one that needs the answer to another awaits it. `run`
 * returns the last ones without awaiting them: the commit follows at once. If one of them fails, nothing is stored.
 *
 * The first statement is sent together with `begin`, so it must only read or lock.
 */
export async function inPipeline<Last extends readonly Promise<unknown>[]>(
  db: Database,
  run: (tx: Statements) => Promise<readonly [...Last]>,
): Promise<Results<Last>> {
  return await db.getExecutor().provideConnection(async (connection) => {
    const send = (text: string) => connection.executeQuery(CompiledQuery.raw(text))
    const begun = send('begin')
    const tx: Statements = {
      async executeQuery<Row>(query: CompiledQuery<Row>) {
        const [, result] = await Promise.all([begun, connection.executeQuery<Row>(query)])
        return result
      },
    }
    try {
      const last = Promise.all(await run(tx))
      await sentToServer(last)
      // After a failed statement the server answers a commit by rolling back.
      const [results] = await Promise.all([last, send('commit')])
      return results as Results<Last>
    } catch (error) {
      // Fails only if the connection is lost, which rolls back too.
      await send('rollback').catch(() => {})
      throw error
    }
  })
}

/** Throws if a statement failed in this process, unseen by the server, which would commit the others. */
async function sentToServer(statements: Promise<unknown>) {
  const sent = new Promise((resolve) => process.nextTick(resolve))
  await Promise.race([statements, sent])
}
