/** Table bloat: size with indexes, and dead rows, against live rows. Partitions count as their table. */
import { sql } from 'kysely'
import type { Database } from '../../../src/store/database.ts'
import type { Sample } from '../growth.ts'

type Table = { name: string; live: number; dead: number; bytes: number }

/** In a smaller table a few dead rows are a large share. */
const fewRows = 200

export async function readTables(db: Database): Promise<Table[]> {
  const { rows } = await sql<Table>`
    select coalesce(whole.relname, part.relname) as name, sum(pg_total_relation_size(part.oid))::float8 as bytes,
      sum(pg_stat_get_live_tuples(part.oid))::float8 as live, sum(pg_stat_get_dead_tuples(part.oid))::float8 as dead
    from pg_class part left join pg_inherits on inhrelid = part.oid left join pg_class whole on whole.oid = inhparent
    where part.relkind = 'r' and part.relnamespace = 'public'::regnamespace group by 1 order by 1`.execute(db)
  return rows
}

export function tableFigures(tables: Table[]): Record<string, number> {
  return Object.fromEntries(
    tables.flatMap(({ name, live, dead, bytes }) => [
      [`live_${name}`, live],
      [`dead_${name}`, dead],
      [`kb_${name}`, bytes / 1000],
    ]),
  )
}

/**
 * Adds for each table what must stay level: `bloat_kb_…`, its size without that of the rows added since the middle of the
 * run at the size they had then, and `dead_share_…`, dead rows for each live one.
 */
export function withBloat(samples: Sample[]): Sample[] {
  const middle = samples[Math.floor(samples.length / 2)]?.figures ?? {}
  const names = Object.keys(middle).flatMap((key) => /^kb_(.*)/.exec(key)?.[1] ?? [])
  return samples.map(({ seconds, figures }) => {
    const added: Record<string, number> = {}
    for (const name of names) {
      const [kb = 0, live = 0, dead = 0] = ['kb', 'live', 'dead'].map((of) => figures[`${of}_${name}`])
      const [kbThen = 0, liveThen = 0] = ['kb', 'live'].map((of) => middle[`${of}_${name}`])
      added[`bloat_kb_${name}`] = kb - (kbThen / Math.max(1, liveThen)) * (live - liveThen)
      added[`dead_share_${name}`] = dead / Math.max(live, fewRows)
    }
    return { seconds, figures: { ...figures, ...added } }
  })
}
