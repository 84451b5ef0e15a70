/** A client of PostgreSQL that prepares every repeated statement once per connection. */
import pg from 'pg'
import { filterMark } from '../filter/sql/where-sql.ts'

/** Far more than the program has: bounds the memory if statements were ever built from input. */
const maxNames = 400

/**
 * PostgreSQL keeps the plan of a prepared statement until statistics are gathered, a minute or more. A plan made while
 * a table was empty would scan the table until then, however much it has grown. Discarding plans this often costs next
 * to nothing.
 */
const planLifetimeMs = 5_000

/** Marks a statement that must be planned each time, since the best plan depends on the parameters. */
export const unprepared = '/*unprepared*/'
const unpreparedMarks = [filterMark, unprepared]

/** The class of a pool's clients. All of them give the same statement the same name. */
export function createPreparingClient(): typeof pg.Client {
  const names = new Map<string, string>()

  function nameOf(text: string): string | undefined {
    const known = names.get(text)
    if (known !== undefined || names.size >= maxNames) return known
    if (unpreparedMarks.some((mark) => text.includes(mark))) return undefined
    const name = `s${names.size}`
    names.set(text, name)
    return name
  }

  return class PreparingClient extends pg.Client {
    private plannedAt = performance.now()

    constructor(config?: pg.ClientConfig) {
      super(config)
      // The pool listens for errors of idle clients only. A client that breaks while in use or closing rejects its
      // query; without a listener the 'error' event would end the process as well.
      this.on('error', () => {})
    }

    // biome-ignore lint/suspicious/noExplicitAny: pg's own overloads end in any.
    override query(...args: any[]): any {
      const [text, values, ...rest] = args
      const name = typeof text === 'string' && Array.isArray(values) ? nameOf(text) : undefined
      if (name === undefined) return Reflect.apply(super.query, this, args)
      const named = { name, text, values }
      // A query with a callback cannot wait for 'discard plans'.
      const isOld = rest.length === 0 && performance.now() - this.plannedAt > planLifetimeMs
      return isOld ? this.planAndQuery(named) : Reflect.apply(super.query, this, [named, ...rest])
    }

    private async planAndQuery(named: pg.QueryConfig) {
      this.plannedAt = performance.now()
      // Fails in an aborted transaction; the query itself then fails too, with the reason.
      await super.query('discard plans').catch(() => {})
      return await super.query(named)
    }
  }
}
