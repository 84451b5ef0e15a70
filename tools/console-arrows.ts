/**
 * Checks the imports in `console/`: its parts import only from those below them, a page imports no other page, and from
 * outside only the core of the TypeScript client, and types: those of the contract and of the client.
 */
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

/** From top to bottom. */
const layers = [
  'main.tsx',
  'operator',
  'shell',
  'finder',
  'pages.ts',
  'pages',
  'phone',
  'parts',
  'live.ts',
  'missed.ts',
  'own-extension.ts',
  'dial.ts',
  'theme.ts',
  'session.ts',
  'api.ts',
  'error-text.ts',
  'words',
  'api-types.ts',
]
/** The modules of the TypeScript client that the console may use; its resources would be loaded with the first page. */
const clientCore = ['api', 'errors', 'transport'].map((name) => `../clients/typescript/src/${name}.ts`)
/** Run by Node, not by the browser. */
const building = ['build.ts', 'vite.config.ts']

const root = fileURLToPath(new URL('../console/', import.meta.url))

for (const file of globSync('**/*.{ts,tsx}', { cwd: root })) {
  if (building.includes(file) || file.startsWith('dist/')) continue
  const text = readFileSync(join(root, file), 'utf8')
  for (const [, kind = '', target = ''] of text.matchAll(/(import|export)[^'"]*?from '(\.[^']+)'/g)) {
    check(file, relative(root, join(root, dirname(file), target)), isTypeOnly(text, target), kind)
  }
}

function check(file: string, target: string, typeOnly: boolean, kind: string) {
  if (target.startsWith('../')) {
    const isAllowed = typeOnly
      ? /^\.\.\/(src\/contract|clients\/typescript\/src)\//.test(target)
      : clientCore.includes(target)
    if (!isAllowed)
      report(
        `${file} ${kind}s ${target}: from outside, only types of src/contract and the core of the client may be used`,
      )
    return
  }
  const [from, to] = [layerOf(file), layerOf(target)]
  if (from < 0 || to < 0)
    report(`${from < 0 ? file : target}: its layer is not listed in tools/console-arrows.ts`)
  else if (to < from) report(`${file} imports ${target}, which is above it`)
  else if (from === layers.indexOf('pages') && to === from && pageOf(file) !== pageOf(target)) {
    report(`${file} imports ${target}, which belongs to another page`)
  }
}

function layerOf(file: string): number {
  return layers.indexOf(file.split('/', 1)[0] ?? file)
}

function pageOf(file: string): string | undefined {
  return file.split('/')[1]
}

function isTypeOnly(text: string, target: string): boolean {
  return new RegExp(`(?:import|export) type [^;'"]*from '${target.replaceAll('.', '\\.')}'`).test(text)
}

function report(problem: string) {
  process.stderr.write(`console/${problem}\n`)
  process.exitCode = 1
}
