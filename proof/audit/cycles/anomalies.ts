/**
 * Finds anomalies of isolation in a history of transactions that append to lists and read them. A read shows the order of the
 * appends before it, so the edges between transactions are known without looking inside the database:
 *
 *   ww  the value of one was appended right after that of the other
 *   wr  one read what the other appended
 *   rw  one read a list before the other appended to it
 *   session  one client did one after the other
 *
 * A cycle is an anomaly, named by its edges (Adya): G0 only ww, G1c ww and wr, G-single one rw, G2-item several rw.
 */
import { type Edge, type EdgeKind, findCycles } from './graph.ts'

export type Operation = { append: string; value: string } | { read: string; values: readonly string[] }

export type Transaction = {
  name: string
  operations: readonly Operation[]
  /** Transactions of one session happen one after the other, as they stand in the list. */
  session?: string
  isAborted?: boolean
}

type AnomalyName =
  | 'G0'
  | 'G1a'
  | 'G1b'
  | 'G1c'
  | 'G-single'
  | 'G2-item'
  | 'incompatible order'
  | 'appended twice'
export type Anomaly = { name: AnomalyName; transactions: string[]; list?: string }

type Reads = { transaction: number; values: readonly string[] }

export function findAnomalies(transactions: readonly Transaction[]): Anomaly[] {
  const writerOf = new Map<string, Map<string, number>>()
  const readsOf = new Map<string, Reads[]>()
  const anomalies: Anomaly[] = []
  for (const [index, { operations }] of transactions.entries()) {
    for (const operation of operations) {
      if ('read' in operation) {
        push(readsOf, operation.read, { transaction: index, values: operation.values })
        continue
      }
      const writers = writerOf.get(operation.append) ?? new Map<string, number>()
      writerOf.set(operation.append, writers.set(operation.value, index))
    }
  }
  const nameOf = (index: number) => transactions[index]?.name ?? ''
  const edges: Edge[] = sessionEdges(transactions)
  for (const [list, reads] of readsOf) {
    const writers = writerOf.get(list) ?? new Map<string, number>()
    const order = longest(reads)
    for (const value of repeated(order))
      anomalies.push({ name: 'appended twice', transactions: [value], list })
    for (const { transaction, values } of reads) {
      if (!isPrefix(values, order))
        anomalies.push({ name: 'incompatible order', transactions: [nameOf(transaction)], list })
      anomalies.push(...dirtyReads(transactions, { list, transaction, values, writers }))
    }
    edges.push(...dependencies(order, reads, writers))
  }
  return [...anomalies, ...namedCycles(transactions, edges)]
}

function push<T>(map: Map<string, T[]>, key: string, item: T) {
  const items = map.get(key)
  if (items) items.push(item)
  else map.set(key, [item])
}

function longest(reads: readonly Reads[]): readonly string[] {
  return reads.reduce<readonly string[]>(
    (best, { values }) => (values.length > best.length ? values : best),
    [],
  )
}

const isPrefix = (values: readonly string[], order: readonly string[]) =>
  values.every((value, index) => value === order[index])

function repeated(values: readonly string[]): string[] {
  const seen = new Set<string>()
  return values.filter((value) => seen.has(value) || !seen.add(value))
}

type DirtyRead = {
  list: string
  transaction: number
  values: readonly string[]
  writers: Map<string, number>
}

/** G1a: of a transaction that was rolled back. G1b: of one that appended more to the list afterwards. */
function dirtyReads(
  transactions: readonly Transaction[],
  { list, transaction, values, writers }: DirtyRead,
): Anomaly[] {
  const name = transactions[transaction]?.name ?? ''
  const found: Anomaly[] = []
  for (const value of values) {
    const writer = transactions[writers.get(value) ?? -1]
    if (writer?.isAborted) found.push({ name: 'G1a', transactions: [name, writer.name], list })
  }
  const last = values.at(-1)
  const writerIndex = last === undefined ? undefined : writers.get(last)
  if (writerIndex === undefined || writerIndex === transaction) return found
  const appended = transactions[writerIndex]?.operations.filter(
    (one) => 'append' in one && one.append === list,
  )
  const final = appended?.at(-1)
  if (final && 'value' in final && final.value !== last)
    found.push({ name: 'G1b', transactions: [name, transactions[writerIndex]?.name ?? ''], list })
  return found
}

function dependencies(
  order: readonly string[],
  reads: readonly Reads[],
  writers: Map<string, number>,
): Edge[] {
  const edges: Edge[] = []
  const add = (from: number | undefined, to: number | undefined, kind: EdgeKind) => {
    if (from !== undefined && to !== undefined && from !== to) edges.push({ from, to, kind })
  }
  const writerAt = (index: number) => writers.get(order[index] ?? '')
  for (const index of order.keys()) if (index > 0) add(writerAt(index - 1), writerAt(index), 'ww')
  // Appends that nobody has read are after all that were read.
  const seen = new Set(order)
  const unread = [...writers].flatMap(([value, writer]) => (seen.has(value) ? [] : [writer]))
  for (const { transaction, values } of reads) {
    const last = values.length - 1
    if (last >= 0) add(writerAt(last), transaction, 'wr')
    if (last + 1 < order.length) add(transaction, writerAt(last + 1), 'rw')
    else for (const writer of unread) add(transaction, writer, 'rw')
  }
  return edges
}

function sessionEdges(transactions: readonly Transaction[]): Edge[] {
  const last = new Map<string, number>()
  return transactions.flatMap(({ session }, to): Edge[] => {
    if (session === undefined) return []
    const from = last.get(session)
    last.set(session, to)
    return from === undefined ? [] : [{ from, to, kind: 'session' }]
  })
}

function namedCycles(transactions: readonly Transaction[], edges: readonly Edge[]): Anomaly[] {
  const committed = edges.filter(
    ({ from, to }) => !transactions[from]?.isAborted && !transactions[to]?.isAborted,
  )
  return findCycles(transactions.length, committed).map((component) => {
    const inside = new Set(component)
    const kinds = committed
      .filter(({ from, to }) => inside.has(from) && inside.has(to))
      .map(({ kind }) => kind)
    return { name: nameCycle(kinds), transactions: component.map((index) => transactions[index]?.name ?? '') }
  })
}

function nameCycle(kinds: readonly EdgeKind[]): AnomalyName {
  const antiDependencies = kinds.filter((kind) => kind === 'rw').length
  if (antiDependencies > 1) return 'G2-item'
  if (antiDependencies === 1) return 'G-single'
  return kinds.includes('wr') ? 'G1c' : 'G0'
}
