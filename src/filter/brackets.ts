/** LoopBack's bracket form: `filter[where][from]=1000&filter[order][0]=id` (D23). */
import { refuseParameter } from '../contract/errors.ts'
import { limits } from './limits.ts'
import { queryTexts } from './texts.ts'
import type { RawObject } from './where/raw.ts'

type Leaf = string | string[]
type Node = Map<string, Node | Leaf>

/** `where`, then levels of `and`, `0`; then field, operator, index. */
const maxDepth = 2 * limits.depth + 4

/** Reads entries of a name, `filter[...]`, and a value. */
export function readBrackets(
  entries: readonly (readonly [name: string, value: string | string[]])[],
): RawObject {
  const root: Node = new Map()
  for (const [name, value] of entries) place(root, name, value)
  return Object.fromEntries([...root].map(([key, node]) => [key, grow(node)]))
}

function place(root: Node, name: string, value: string | string[]) {
  if (!/^filter(?:\[[^[\]]*\])+$/.test(name)) throw refuseParameter(shown(name), queryTexts.openBrackets)
  const keys = name.slice('filter['.length, -1).split('][')
  if (keys.length > maxDepth) throw refuseParameter(shown(name), queryTexts.bracketsTooDeep)

  // `name[]=a&name[]=b` lists values without numbering them.
  const listed = keys.at(-1) === '' && keys.length > 1
  if (listed) keys.pop()
  if (!listed && Array.isArray(value)) throw refuseParameter(shown(name), queryTexts.givenTwice)

  const last = keys.pop() ?? ''
  let node = root
  for (const key of keys) {
    const next: Node | Leaf = node.get(key) ?? new Map()
    if (!(next instanceof Map)) throw refuseParameter(shown(name), queryTexts.valueAndKeys)
    node.set(key, next)
    node = next
  }
  if (node.has(last)) throw refuseParameter(shown(name), queryTexts.givenTwice)
  node.set(last, listed ? [value].flat() : value)
}

/** Keys 0 to n-1 make an array; other keys an object. */
function grow(node: Node | Leaf): unknown {
  if (!(node instanceof Map)) return node
  const grown = [...node].map(([key, child]) => [key, grow(child)] as const)
  const isList = grown.every(([key]) => /^(?:0|[1-9]\d{0,3})$/.test(key) && Number(key) < grown.length)
  if (!isList) return Object.fromEntries(grown)
  return grown.sort(([a], [b]) => Number(a) - Number(b)).map(([, child]) => child)
}

function shown(name: string): string {
  return name.length > 80 ? `${name.slice(0, 80).toWellFormed()}…` : name.toWellFormed()
}
