/** A list of the account under its title. */
import { type Column, Table } from '../../parts/table.tsx'
import { useWords } from '../../words/language.ts'
import { accountWords } from './words.ts'

type Props<T> = { title: string; columns: Column<T>[]; rows: T[]; keyOf: (row: T) => string | number }

export function Section<T>({ title, columns, rows, keyOf }: Props<T>) {
  const words = useWords(accountWords)
  return (
    <div className="card flush">
      <h2 className="card-title">{title}</h2>
      {rows.length === 0 ? (
        <p className="list-search faint">{words.nothing}</p>
      ) : (
        <Table caption={title} columns={columns} rows={rows} keyOf={keyOf} />
      )}
    </div>
  )
}
