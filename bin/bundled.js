// Where the bundle of the service is, and whether it still is what the sources say (D340).
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../', import.meta.url))
export const bundles = join(root, 'dist')
/** Says which of the bundles in the folder is the newest, and from which files it was made. */
export const recordIn = (folder) => join(folder, 'sources.json')

/** Changes with the file. Whole seconds: layers of a container image keep no fractions. */
export function stamp(file) {
  const { size, mtimeMs } = statSync(root + file)
  return `${size} ${Math.floor(mtimeMs / 1000)}`
}

/** The bundled program, or undefined if there is none or a source has changed since. */
export function findBundle(folder = bundles) {
  try {
    const { name, madeIn, stamps } = JSON.parse(readFileSync(recordIn(folder), 'utf8'))
    const isCurrent = madeIn === root && Object.entries(stamps).every(([file, made]) => stamp(file) === made)
    return isCurrent ? join(folder, name, 'main.js') : undefined
  } catch {
    return undefined
  }
}
