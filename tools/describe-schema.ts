/** Writes the shape of a database as SQL, the same text for the same shape on every PostgreSQL we support. */
import type pg from 'pg'

/** Of a partitioned table the whole, and the partition that the others are made like (D254). */
const isShown = (table: string) => `(not ${table}.relispartition or ${table}.relname like '%\\_rest')`

const columnsQuery = `
  select c.relname as table, a.attname as name, format_type(a.atttypid, a.atttypmod) as type,
    a.attnotnull as required, case when not c.relispartition then a.attidentity else '' end as identity,
    pg_get_expr(d.adbin, d.adrelid) as fallback
  from pg_class c
  join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'public'
  join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
  where c.relkind in ('r', 'p') and ${isShown('c')} order by c.relname, a.attnum`

const constraintsQuery = `
  select c.relname as table, k.conname as name, pg_get_constraintdef(k.oid) as definition
  from pg_constraint k
  join pg_class c on c.oid = k.conrelid
  join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'public'
  where k.contype in ('p', 'u', 'f', 'c', 'x') and ${isShown('c')} order by c.relname, k.contype desc, k.conname`

/** Those that no constraint made. */
const indexesQuery = `
  select t.relname as table, pg_get_indexdef(i.indexrelid) as definition
  from pg_index i
  join pg_class t on t.oid = i.indrelid
  join pg_class x on x.oid = i.indexrelid
  join pg_namespace n on n.oid = t.relnamespace and n.nspname = 'public'
  where not exists (select from pg_constraint k where k.conindid = i.indexrelid) and ${isShown('t')}
  order by t.relname, x.relname`

/** Those of ours, not of an extension. */
const functionsQuery = `
  select format('create function %s(%s) returns %s language %s%s as $$%s$$', p.proname,
    pg_get_function_arguments(p.oid), pg_get_function_result(p.oid), l.lanname,
    case when p.provolatile = 'i' then ' immutable' else '' end, p.prosrc) as definition
  from pg_proc p
  join pg_namespace n on n.oid = p.pronamespace and n.nspname = 'public'
  join pg_language l on l.oid = p.prolang
  where not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e') order by p.proname`

/** Without the condition of each, which every version of PostgreSQL writes in its own way. */
const triggersQuery = `
  select t.tgname as name, c.relname as table, p.proname as function
  from pg_trigger t
  join pg_class c on c.oid = t.tgrelid
  join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'public'
  join pg_proc p on p.oid = t.tgfoid
  where not t.tgisinternal and not c.relispartition order by c.relname, t.tgname`

const extensionsQuery = `select extname as name from pg_extension where extname <> 'plpgsql' order by 1`

type Column = {
  table: string
  name: string
  type: string
  required: boolean
  identity: string
  fallback: string | null
}
type Rule = { table: string; name: string; definition: string }

export async function describeSchema(pool: pg.Pool): Promise<string> {
  const read = async <T extends object>(query: string) => (await pool.query<T>(query)).rows
  const extensions = await read<{ name: string }>(extensionsQuery)
  const columns = await read<Column>(columnsQuery)
  const constraints = await read<Rule>(constraintsQuery)
  const indexes = await read<Rule>(indexesQuery)
  const functions = await read<{ definition: string }>(functionsQuery)
  const triggers = await read<{ name: string; table: string; function: string }>(triggersQuery)
  const tables = [...new Set(columns.map(({ table }) => table))]
  const of = <T extends { table: string }>(rows: T[], table: string) =>
    rows.filter((row) => row.table === table)
  return [
    '-- The whole database at a glance, written by `npm run schema` from the migrations. Not run by anything.\n',
    ...extensions.map(({ name }) => `create extension ${name};`),
    ...tables.map((table) => {
      const lines = [
        ...of(columns, table).map(writeColumn),
        ...of(constraints, table).map(({ name, definition }) => `constraint ${name} ${definition}`),
      ]
      const after = of(indexes, table).map(({ definition }) => `${definition.replaceAll('public.', '')};\n`)
      return `\ncreate table ${table} (\n  ${lines.join(',\n  ')}\n);\n${after.join('')}`
    }),
    ...functions.map(({ definition }) => `\n${definition};\n`),
    ...triggers.map((trigger) => `-- trigger ${trigger.name} on ${trigger.table}: ${trigger.function}()`),
    '',
  ].join('\n')
}

function writeColumn({ name, type, required, identity, fallback }: Column): string {
  const parts = [name, type]
  if (identity) parts.push('generated always as identity')
  if (fallback !== null) parts.push(`default ${fallback}`)
  if (required) parts.push('not null')
  return parts.join(' ')
}
