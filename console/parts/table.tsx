/** A table whose rows come page by page from the service. On a telephone each row is a block of named cells. */
import '../look/table.css'
import { memo, type ReactNode, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import type { PageMeta } from '../api-types.ts'
import { commonWords } from '../words/common.ts'
import { useWords } from '../words/language.ts'
import { useFormat } from './format.ts'

/** D670: what a click shows is drawn within a tenth of a second on a slow computer. */
export const rowsPerPage = 25

export type Column<T> = {
  name: string
  cell: (row: T) => ReactNode
  /** `right` for numbers, `narrow` for buttons, `hide-narrow` for what a small screen can do without. */
  className?: string
  /** Buttons need no visible name. */
  hideName?: boolean
}

type Props<T> = {
  caption: string
  columns: Column<T>[]
  rows: T[]
  keyOf: (row: T) => string | number
}

export function Table<T>({ caption, columns, rows, keyOf }: Props<T>) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the keys of rows stay the same.
  const wanted = useMemo(() => ({ columns, rows, keyOf }), [columns, rows])
  // D670: the click that asks for rows is answered before they are drawn.
  const shown = useDeferredValue(useAfterFrame(wanted), { columns, rows: [], keyOf })
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways must be reachable by keyboard.
    <section className="table-box" tabIndex={0} aria-label={caption}>
      <table className="table">
        <caption className="visually-hidden">{caption}</caption>
        <Rows shown={shown} />
      </table>
    </section>
  )
}

/** The value, once a frame was painted without it: drawing in pieces alone would begin before that frame. */
function useAfterFrame<T>(value: T): T {
  const [shown, setShown] = useState(value)
  const latest = useRef(value)
  const isWaiting = useRef(false)
  useEffect(() => {
    latest.current = value
    if (isWaiting.current || value === shown) return
    isWaiting.current = true
    requestAnimationFrame(() =>
      setTimeout(() => {
        isWaiting.current = false
        setShown(() => latest.current)
      }),
    )
  }, [value, shown])
  return shown
}

type Shown<T> = Pick<Props<T>, 'columns' | 'rows' | 'keyOf'>

const Rows = memo(RowsOf) as typeof RowsOf

function RowsOf<T>({ shown: { columns, rows, keyOf } }: { shown: Shown<T> }) {
  return (
    <>
      <thead>
        <tr>
          {columns.map(({ name, className, hideName }) => (
            <th key={name} scope="col" className={className}>
              {hideName ? <span className="visually-hidden">{name}</span> : name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Row key={keyOf(row)} columns={columns} row={row} />
        ))}
      </tbody>
    </>
  )
}

type RowProps<T> = { columns: Column<T>[]; row: T }

/** Rendered again if its row has other values, or the columns are others. */
const Row = memo(RowOf, isSameRow) as typeof RowOf

function RowOf<T>({ columns, row }: RowProps<T>) {
  return (
    <tr>
      {columns.map(({ name, cell, className, hideName }) => (
        <td key={name} className={className} data-name={hideName ? undefined : name}>
          {cell(row)}
        </td>
      ))}
    </tr>
  )
}

function isSameRow(before: RowProps<unknown>, after: RowProps<unknown>): boolean {
  if (before.columns !== after.columns) return false
  const [one, other] = [fieldsOf(before.row), fieldsOf(after.row)]
  return one.size === other.size && [...one].every(([name, value]) => other.get(name) === value)
}

const fieldsOf = (row: unknown) => new Map<string, unknown>(Object.entries(row as object))

/** No value: a dash in a column, nothing in a block. */
export const None = () => <span className="none">–</span>

type PagerProps = { meta: PageMeta; onPage: (page: number) => void }

export function Pager({ meta, onPage }: PagerProps) {
  const words = useWords(commonWords)
  const format = useFormat()
  const { currentPage, totalPageCount, totalItemCount } = meta
  return (
    <nav className="pager" aria-label={words.page(currentPage, totalPageCount)}>
      <span>
        {words.page(currentPage, Math.max(1, totalPageCount))}
        <span className="hide-narrow">
          {' '}
          · {words.items(`${format.count(totalItemCount)}${meta.totalIsLowerBound ? '+' : ''}`)}
        </span>
      </span>
      <span className="row">
        <button
          type="button"
          className="button small"
          disabled={meta.previousPage === undefined}
          onClick={() => onPage(currentPage - 1)}
        >
          {words.previous}
        </button>
        <button
          type="button"
          className="button small"
          disabled={meta.nextPage === undefined}
          onClick={() => onPage(currentPage + 1)}
        >
          {words.next}
        </button>
      </span>
    </nav>
  )
}
