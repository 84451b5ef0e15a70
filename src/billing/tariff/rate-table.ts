/**
 * Rates by prefix, found by walking the digits of a number once: a tree whose nodes are ten numbers each in one
 * flat array, so that a hundred thousand prefixes take a few megabytes and no object but the rates themselves.
 */
import type { Rate } from './rate.ts'

/** A rate and when it holds, in milliseconds; `from` included, `until` not. */
export type DatedRate = Rate & { from: number; until: number }

const digits = 10
const zero = 48

export function createRateTable(rates: readonly DatedRate[]) {
  let children = new Int32Array(digits * 64)
  /** Of each node: which list of rates, from 1; 0 for none. */
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
  // Of two that hold at one moment, the one that began last.
  for (const list of lists) list.sort((one, other) => other.from - one.from)

  /** The rate of the longest prefix that has one at that moment. */
  function find(number: string, at: number): DatedRate | undefined {
    let best: DatedRate | undefined
    let node = 0
    for (let index = 0; index < number.length; index++) {
      const digit = number.charCodeAt(index) - zero
      if (digit < 0 || digit >= digits) break
      node = children[node * digits + digit] ?? 0
      if (node === 0) break
      const list = listOf[node] ?? 0
      if (list > 0) best = heldAt(lists[list] ?? [], at) ?? best
    }
    return best
  }

  return { find, prefixes: () => lists.length - 1 }
}
export type RateTable = ReturnType<typeof createRateTable>

function heldAt(list: DatedRate[], at: number): DatedRate | undefined {
  for (const rate of list) if (rate.from <= at && at < rate.until) return rate
  return undefined
}

function grown(array: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(array.length * 2)
  larger.set(array)
  return larger
}
