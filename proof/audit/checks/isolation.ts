/**
 * D551: ledger and feed as append lists, for the cycle checker. Each list alone has one order, which every reader sees. Both
 * together: the end of a call pays and reports in one transaction, so that a client that has seen one of the two sees the
 * other whenever it looks later. Their orders may differ (D90: an event gets its position when the feed is read).
 */
import { findAnomalies, type Operation, type Transaction } from '../cycles/anomalies.ts'
import { entriesOf, type FinalState, type History } from '../history.ts'
import { createFindings, type Violation } from '../violation.ts'

type List = 'statement' | 'feed'
/** The calls in a list, as a reader saw it; made when they are looked at, since those of all reads are too many to keep. */
type Read = {
  reader: string
  sentAt: number
  at: number
  list: List
  calls: () => readonly string[]
  /** A call that is not in it was not in the list: it is no page with others behind it. */
  isWhole: boolean
}

/** Reads of one list that are compared at most: each holds the whole list. */
const maxCompared = 60

export function checkIsolation(history: History): Violation[] {
  const { found, expect } = createFindings('cycles')
  for (const final of entriesOf(history, 'final')) {
    const { account } = final
    const reads = [...statementReads(history, account), ...feedReads(history, account)]
    const runs = [listRun(reads, 'statement'), listRun(reads, 'feed'), bothRun(final, reads)]
    for (const { name, transactions, list } of runs.flatMap(findAnomalies))
      expect(false, () => `${account}: ${name} ${list ?? ''} of ${transactions.slice(0, 6).join(', ')}`)
  }
  return found
}

function listRun(reads: readonly Read[], list: List): Transaction[] {
  const own = reads.filter((read) => read.list === list)
  const everyNth = Math.ceil(own.length / maxCompared)
  const compared = own.filter((_, index) => index % everyNth === 0 || index === own.length - 1)
  const values = new Set(compared.flatMap(({ calls }) => calls()))
  return [
    ...[...values].map((value) => ({ name: `end of ${value}`, operations: [{ append: list, value }] })),
    ...compared
      .toSorted((a, b) => a.at - b.at)
      .map(({ reader, at, calls }) => ({
        name: `${reader} at ${at}`,
        operations: [{ read: list, values: calls() }],
        session: reader,
      })),
  ]
}

/** A list of its own for each call: only what one end did together is compared, not the order of ends. */
function bothRun({ calls, feed }: FinalState, reads: readonly Read[]): Transaction[] {
  const reported = new Set(feed.flatMap(({ type, subject }) => (type === 'channel-hangup' ? [subject] : [])))
  const paid = calls.flatMap(({ id, price }) => ((price ?? 0) > 0 && reported.has(id) ? [id] : []))
  const ends = paid.map((id) => ({
    name: `end of ${id}`,
    operations: (['statement', 'feed'] as const).map((list) => ({ append: `${list} ${id}`, value: id })),
  }))
  const sessions = Map.groupBy(reads, ({ reader }) => reader)
  return [...ends, ...[...sessions.values()].flatMap((own) => sessionRun(own, new Set(paid)))]
}

/** Of each call only the last read without it and the first with it matter. */
function sessionRun(reads: readonly Read[], paid: ReadonlySet<string>): Transaction[] {
  const ordered = oneAfterTheOther(reads)
  const operations: Operation[][] = ordered.map(() => [])
  const before: Partial<Record<List, number>> = {}
  const seen: Record<List, Set<string>> = { statement: new Set(), feed: new Set() }
  for (const [index, { list, calls, isWhole }] of ordered.entries()) {
    for (const id of calls()) {
      if (!paid.has(id) || seen[list].has(id)) continue
      seen[list].add(id)
      operations[index]?.push({ read: `${list} ${id}`, values: [id] })
      const absentAt = before[list]
      if (absentAt !== undefined) operations[absentAt]?.push({ read: `${list} ${id}`, values: [] })
    }
    if (isWhole) before[list] = index
  }
  for (const list of ['statement', 'feed'] as const) {
    const last = before[list]
    if (last === undefined) continue
    for (const id of paid)
      if (!seen[list].has(id)) operations[last]?.push({ read: `${list} ${id}`, values: [] })
  }
  return ordered.map(({ reader, at, list }, index) => ({
    name: `${reader} reads the ${list} at ${at}`,
    operations: operations[index] ?? [],
    session: reader,
  }))
}

/** Without reads that were sent before the one ahead of them was answered: of these none is later. */
function oneAfterTheOther(reads: readonly Read[]): Read[] {
  let answeredAt = Number.NEGATIVE_INFINITY
  return reads
    .toSorted((a, b) => a.at - b.at)
    .filter(({ sentAt, at }) => {
      if (sentAt < answeredAt) return false
      answeredAt = at
      return true
    })
}

function statementReads(history: History, account: string): Read[] {
  return entriesOf(history, 'statement')
    .filter((one) => one.account === account)
    .map(({ reader, sentAt, at, entries }) => ({
      reader,
      sentAt,
      at,
      list: 'statement',
      isWhole: true,
      calls: () =>
        entries.flatMap(({ kind, reference }) => (kind === 'call' ? [reference.slice('call:'.length)] : [])),
    }))
}

/** A reader that goes on from its cursor has read all pages so far. */
function feedReads(history: History, account: string): Read[] {
  const seen = new Map<string, string[]>()
  return entriesOf(history, 'feed')
    .filter((one) => one.account === account)
    .map(({ reader, sentAt, at, events, more }) => {
      const all = seen.get(reader) ?? []
      seen.set(reader, all)
      for (const { type, subject } of events) if (type === 'channel-hangup') all.push(subject)
      const { length } = all
      return { reader, sentAt, at, list: 'feed', isWhole: !more, calls: () => all.slice(0, length) }
    })
}
