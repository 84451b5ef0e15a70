/** Strongly connected components of a graph with labelled edges (Tarjan), without recursion: histories are long. */
export type EdgeKind = 'ww' | 'wr' | 'rw' | 'session'
export type Edge = { from: number; to: number; kind: EdgeKind }

export function findCycles(size: number, edges: readonly Edge[]): number[][] {
  const next: number[][] = Array.from({ length: size }, () => [])
  for (const { from, to } of edges) next[from]?.push(to)
  const index = new Int32Array(size).fill(-1)
  const low = new Int32Array(size)
  const isOpen = new Uint8Array(size)
  const open: number[] = []
  const components: number[][] = []
  let counter = 0

  function enter(node: number) {
    index[node] = counter
    low[node] = counter
    counter += 1
    open.push(node)
    isOpen[node] = 1
  }

  function close(node: number) {
    const component: number[] = []
    for (let last = open.pop(); last !== undefined; last = open.pop()) {
      isOpen[last] = 0
      component.push(last)
      if (last === node) break
    }
    const hasLoop = next[node]?.includes(node) === true
    if (component.length > 1 || hasLoop) components.push(component.toSorted((a, b) => a - b))
  }

  function walkFrom(start: number) {
    const path: { node: number; edge: number }[] = [{ node: start, edge: 0 }]
    enter(start)
    for (let top = path.at(-1); top; top = path.at(-1)) {
      const { node } = top
      const target = next[node]?.[top.edge]
      top.edge += 1
      if (target === undefined) {
        if (low[node] === index[node]) close(node)
        path.pop()
        const parent = path.at(-1)
        if (parent) low[parent.node] = Math.min(low[parent.node] ?? 0, low[node] ?? 0)
      } else if (index[target] === -1) {
        enter(target)
        path.push({ node: target, edge: 0 })
      } else if (isOpen[target]) low[node] = Math.min(low[node] ?? 0, index[target] ?? 0)
    }
  }

  for (let node = 0; node < size; node += 1) if (index[node] === -1) walkFrom(node)
  return components
}
