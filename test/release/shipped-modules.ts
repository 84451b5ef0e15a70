/**
 * D450: tests of a release import what it ships. An import of a source file that is part of the bundle gets that module of the
 * bundle, loaded by Node itself; all other files (tests, their helpers, fakes) are read from the sources.
 */
import { readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

const root = fileURLToPath(new URL('../../', import.meta.url))
export const released = join(root, 'release/package')
const testing = join(root, 'release/testing.js')
const prefix = '\0shipped:'

export function shippedModules(): Plugin {
  const testable: Record<string, Record<string, string>> = JSON.parse(
    readFileSync(join(root, 'release/testing.json'), 'utf8'),
  )
  return {
    name: 'shipped modules',
    enforce: 'pre',
    resolveId(wanted, importer) {
      if (!wanted.startsWith('.') || importer === undefined) return undefined
      const file = relative(root, resolve(dirname(importer), wanted))
      return testable[file] ? `${prefix}${file}` : undefined
    },
    load(id) {
      const found = id.startsWith(prefix) ? testable[id.slice(prefix.length)] : undefined
      if (!found) return undefined
      const names = Object.entries(found).map(([name, exported]) => `${exported} as ${name}`)
      return `export { ${names.join(', ')} } from ${JSON.stringify(testing)}`
    },
  }
}
