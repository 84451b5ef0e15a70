/** A client of PostgreSQL that prepares every repeated statement once per connection. */
import type { EventEmitter } from 'node:events'
import pg from 'pg'
import { filterMark } from '../../filter/sql/where-sql.ts'
import { isOutdatedPlan } from './database-errors.ts'
import { connectToPrimary, type FindPrimary } from './primary.ts'

/** Far more than the program has: bounds the memory if statements were ever built from input. */
const maxNames = 400

/**
 * PostgreSQL keeps the plan of a prepared statement until statistics are gathered, a minute or more. A plan made while
 * a table was empty would scan the table until then, however much it has grown.
 */
const usualPlanLifetimeMs = 5_000

/** Marks a statement that must be planned each time, since the best plan depends on the parameters. */
export const unprepared = '/*unprepared*/'
const unpreparedMarks = [filterMark, unprepared]

/** D226: the columns of such a statement change with the table, which a prepared statement must not do. */
const selectsAll = /^select (\* from "|"\w+"\.\*)|returning \*$/

/** What of pg's client and pool is not in their types. */
type ClientInside = { connection: EventEmitter; _queryable: boolean }

/**
 * After a fatal error the server closes the connection, which is seen a moment later. Until then the pool would give the
 * client to the next request: it takes back none that is not queryable.
 */
function leaveOnFatal(client: pg.Client) {
  const inside = client as unknown as ClientInside
  inside.connection.on('errorMessage', ({ severity }: { severity?: string }) => {
    if (severity === 'FATAL' || severity === 'PANIC') inside._queryable = false
  })
}

type NamedQuery = { name: string; text: string; values: unknown[] }

type Options = { planLifetimeMs?: number | undefined; findPrimary?: FindPrimary | undefined }

/** The class of a pool's clients. All of them give the same statement the same name. */
export function createPreparingClient(options: Options = {}): typeof pg.Client {
  const { planLifetimeMs = usualPlanLifetimeMs, findPrimary } = options
  const names = new Map<string, string>()

  function nameOf(text: string): string | undefined {
    const known = names.get(text)
    if (known !== undefined || names.size >= maxNames) return known
    if (unpreparedMarks.some((mark) => text.includes(mark)) || selectsAll.test(text)) return undefined
    const name = `s${names.size}`
    names.set(text, name)
    return name
  }

  return class PreparingClient extends pg.Client {
    private plannedAt = performance.now()
    /** Counted up when the tables changed under the prepared statements: then all get new names. */
    private generation = 0

    constructor(config?: pg.ClientConfig) {
      super(config)
      // The pool listens for errors of idle clients only. A client that breaks while in use or closing rejects its
      // query; without a listener the 'error' event would end the process as well.
      this.on('error', () => {})
      leaveOnFatal(this)
      connectToPrimary(this, findPrimary)
    }

    // biome-ignore lint/suspicious/noExplicitAny: pg's own overloads end in any.
    override query(...args: any[]): any {
      const [text, values, ...rest] = args
      const name = typeof text === 'string' && Array.isArray(values) ? nameOf(text) : undefined
      // A query with a callback cannot be tried again.
      const hasCallback = args.some((argument) => typeof argument === 'function')
      if (name === undefined) return hasCallback ? Reflect.apply(super.query, this, args) : this.send(...args)
      const query = { name, text, values }
      if (hasCallback) return Reflect.apply(super.query, this, [this.named(query), ...rest])
      return performance.now() - this.plannedAt > planLifetimeMs ? this.planAndQuery(query) : this.run(query)
    }

    private named(query: NamedQuery): NamedQuery {
      return this.generation === 0 ? query : { ...query, name: `${query.name}_${this.generation}` }
    }

    /**
     * pg's own promise would keep the parameters and rows of every statement until the next full garbage collection: it
     * assigns a function to a property, and V8 takes such a function for a method and puts it with the old objects. 15,000
     * statements that return 2 KB each promote 42 MB and cause 14 full collections that way; with this callback 2 MB and none.
     */
    private send(...args: unknown[]): Promise<pg.QueryResult> {
      return new Promise((resolve, reject) => {
        const settle = (error: Error | null, result: pg.QueryResult) =>
          error ? reject(error) : resolve(result)
        Reflect.apply(super.query, this, [...args, settle])
      })
    }

    private run(query: NamedQuery) {
      return this.send(this.named(query)).catch((error: unknown) => this.retry(query, error))
    }

    /** D226: after a migration beside this process. In a transaction only the whole can be tried again. */
    private async retry(query: NamedQuery, error: unknown) {
      if (!isOutdatedPlan(error)) throw error
      this.generation += 1
      if (this.getTransactionStatus() !== 'I') throw error
      return await this.send(this.named(query))
    }

    private planAndQuery(query: NamedQuery) {
      this.plannedAt = performance.now()
      // Fails in an aborted transaction; the query itself then fails too, with the reason.
      this.send('discard plans').catch(() => {})
      return this.run(query)
    }
  }
}
