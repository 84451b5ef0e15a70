/**
 * Rates by prefix: a trie, searched in one pass over the digits of a number. Its nodes are ten integers each in one
 * flat array, so that a hundred thousand prefixes take a few megabytes and no objects but the rates.
 */
import type { Rate } from './rate.ts'

/** A rate and when it is valid, in epoch milliseconds; `from` is inclusive, `until` exclusive. */
export type DatedRate = Rate & { from: number; until: number }

const digits = 10
const zero = 48

export function createRateTable(rates: readonly DatedRate[]) {
  let children = new Int32Array(digits * 64)
  /** For each node the index of its list of rates; 0 for none. */
  let listOf = new Int32Array(64)
  const lists: DatedRate[][] = [[]]
  let nodes = 1

  function childOf(node: number, digit: number): number {
    const at = node * digits + digit
    const known = children[at] ?? 0
    if (known > 0) return known
    if (nodes === listOf.length) {
      children = grown(children)
      listOf = grown(listOf)
    }
    children[at] = nodes
    nodes += 1
    return nodes - 1
  }

  for (const rate of rates) {
    let node = 0
    for (let index = 0; index < rate.prefix.length; index++) {
      node = childOf(node, rate.prefix.charCodeAt(index) - zero)
    }
    let list = listOf[node] ?? 0
    if (list === 0) {
      list = lists.push([]) - 1
      listOf[node] = list
    }
    lists[list]?.push(rate)
  }
  // Newest first: of two rates valid at one moment, the later one wins.
  for (const list of lists) list.sort((one, other) => other.from - one.from)

  /** The rate of the longest prefix that has a rate valid at that moment. */
  function find(number: string, at: number): DatedRate | undefined {
    let best: DatedRate | undefined
    let node = 0
    for (let index = 0; index < number.length; index++) {
      const digit = number.charCodeAt(index) - zero
      if (digit < 0 || digit >= digits) break
      node = children[node * digits + digit] ?? 0
      if (node === 0) break
      const list = listOf[node] ?? 0
      if (list > 0) best = validAt(lists[list] ?? [], at) ?? best
    }
    return best
  }

  return { find, prefixes: () => lists.length - 1 }
}
export type RateTable = ReturnType<typeof createRateTable>

function validAt(list: DatedRate[], at: number): DatedRate | undefined {
  for (const rate of list) if (rate.from <= at && at < rate.until) return rate
  return undefined
}

function grown(array: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(array.length * 2)
  larger.set(array)
  return larger
}
