/**
 * What PostgreSQL pays to compile an expression, counted with every repetition written
 * out. The automaton grows with the characters, with the cube of what may be skipped
 * (`a?`, `a*`, an empty branch), and fastest with edges in a row (`^`, `$`, `\b`).
 */
import { limits } from '../../limits.ts'

export type Cost = { characters: number; optional: number; edges: number }

export const oneCharacter: Cost = { characters: 1, optional: 0, edges: 0 }
export const oneEdge: Cost = { characters: 0, optional: 0, edges: 1 }
const emptyBranch: Cost = { characters: 0, optional: 1, edges: 0 }

export function inSequence(costs: readonly Cost[]): Cost {
  if (costs.length === 0) return emptyBranch
  return { ...summed(costs), edges: costs.reduce((total, { edges }) => total + edges, 0) }
}

export function asBranches(costs: readonly Cost[]): Cost {
  return { ...summed(costs), edges: Math.max(...costs.map(({ edges }) => edges)) }
}

function summed(costs: readonly Cost[]) {
  return {
    characters: costs.reduce((total, { characters }) => total + characters, 0),
    optional: costs.reduce((total, { optional }) => total + optional, 0),
  }
}

/** Edges are never repeated, see regexp.ts. */
export function repeated(cost: Cost, min: number, max: number): Cost {
  const times = max === Infinity ? min + 1 : max
  return {
    characters: cost.characters * times,
    optional: cost.optional * times + (min === 0 ? 1 : 0),
    edges: cost.edges,
  }
}

export function isTooCostly(cost: Cost): boolean {
  return (
    cost.characters > limits.regexpCharacters ||
    cost.optional > limits.regexpOptional ||
    cost.edges > limits.regexpEdges
  )
}
