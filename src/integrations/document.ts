/** A JSON object that others gave us to keep: bounded in size and depth. */
const mostBytes = 16 * 1024
const mostLevels = 8

type Problem = { code: string; message: string }

export type Document = Record<string, unknown>

export function isDocument(value: unknown): value is Document {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}

export function findProblem(document: Document): Problem | undefined {
  if (depthOf(document) > mostLevels) {
    return { code: 'depth', message: `must be nested at most ${mostLevels} levels deep` }
  }
  if (Buffer.byteLength(JSON.stringify(document)) > mostBytes) {
    return { code: 'length', message: `must be at most ${mostBytes} bytes of JSON` }
  }
  return undefined
}

/** Level by level, so that no depth exhausts the stack. */
function depthOf(root: object): number {
  let level: object[] = [root]
  let depth = 0
  while (level.length > 0 && depth <= mostLevels) {
    depth += 1
    level = level
      .flatMap((part) => Object.values(part))
      .filter((value) => value !== null && typeof value === 'object')
  }
  return depth
}
