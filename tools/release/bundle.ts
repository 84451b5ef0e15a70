/**
 * Writes the service and its packages as a few files of JavaScript (D340). A start from 1,350 files takes longer and holds
 * more memory: each is resolved, read and linked, and types are stripped by a WebAssembly module that is never freed.
 *
 * Nothing is removed as unused: bundlers take calls that only throw, such as decodeURIComponent, for calls without effect.
 */
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, parse, relative, resolve } from 'node:path'
import { type OutputChunk, type Plugin, rolldown } from 'rolldown'

/** Native code, and packages that are loaded only if they are there. */
const external = [
  /\.node$/,
  '@node-rs/argon2',
  '@evan/opus',
  'koffi',
  'bufferutil',
  'pg-native',
  'utf-8-validate',
]

/** Of the tests' own file, which is no part of the release: it exports every module of the bundle (D450). */
const testingName = 'testing'

type Bundle = {
  /** Every module that is in the bundle, of ours and of packages. */
  modules: string[]
  /** By file of ours and name that it exports: the name by which tests import it. */
  testable: Record<string, Record<string, string>>
}

/** Writes the bundle to `folder`, and beside the release, to `testingFile`, what tests import it by. */
export async function writeBundle(root: string, folder: string, testingFile: string): Promise<Bundle> {
  const programs = findPrograms(root)
  const testable: Bundle['testable'] = {}
  const bundle = await rolldown({
    input: {
      ...Object.fromEntries(programs.map((file) => [parse(file).name, file])),
      [testingName]: testingName,
    },
    platform: 'node',
    external,
    plugins: [ownAddresses(root, programs), httpWithoutFetch, exportAll(root, programs, testable)],
    treeshake: false,
    logLevel: 'silent',
  })
  const { output } = await bundle.generate({
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
    // V8 stores text with other characters in twice the memory.
    charset: 'ascii',
    comments: false,
    keepNames: true,
    minify: false,
  })
  await bundle.close()
  const chunks = output.filter((one): one is OutputChunk => one.type === 'chunk')
  const shipped = chunks.filter(({ name }) => name !== testingName)
  mkdirSync(folder, { recursive: true })
  for (const { fileName, code } of shipped) writeFileSync(join(folder, fileName), code)
  const testing = chunks.find(({ name }) => name === testingName)?.code ?? ''
  const toBundle = `$1"./${relative(dirname(testingFile), folder)}/`
  writeFileSync(testingFile, testing.replaceAll(/\b(from |import |import\()"\.\//g, toBundle))
  return { modules: shipped.flatMap(({ moduleIds }) => moduleIds), testable }
}

const programAddress = /new URL\('([^']+\.ts)', import\.meta\.url\)/g

/** What runs as a process or a thread of its own: the main program, and what a module names by its address. */
function findPrograms(root: string): string[] {
  const isTest = (path: string) => path.endsWith('.test.ts') || path.includes('/testing/')
  const sources = globSync('src/**/*.ts', { cwd: root }).filter((path) => !isTest(path))
  const named = sources.flatMap((path) =>
    [...readFileSync(join(root, path), 'utf8').matchAll(programAddress)].map(([, program = '']) =>
      resolve(root, dirname(path), program),
    ),
  )
  return [...new Set([join(root, 'src/main.ts'), ...named])]
}

/**
 * Files beside a source, such as migrations, have the same place in the release: the bundle is in `dist`, and a module has
 * the address that its source would have beside it. Programs are part of the bundle.
 */
function ownAddresses(root: string, programs: string[]): Plugin {
  return {
    name: 'own addresses',
    transform(code, id) {
      if (!code.includes('import.meta.url') || !id.startsWith(join(root, 'src/'))) return undefined
      const parts = code.split(programAddress)
      const own = `new URL(${JSON.stringify(`../${relative(root, id)}`)}, import.meta.url).href`
      const written = parts.map((part, index) => {
        // Every second part is the path of a program.
        if (index % 2 === 0) return part.replaceAll('import.meta.url', own)
        const program = resolve(dirname(id), part)
        if (!programs.includes(program)) throw new Error(`${id} names ${part}, which is no program`)
        return `new URL('./${parse(program).name}.js', import.meta.url)`
      })
      return { code: written.join('') }
    },
  }
}

const httpId = '\0node:http'

/** Node reads every export of a module that is imported; for one of node:http it loads all of its fetch. */
const httpWithoutFetch: Plugin = {
  name: 'http without fetch',
  resolveId: (id) => (id === 'node:http' || id === 'http' ? httpId : undefined),
  load: (id) => (id === httpId ? `module.exports = process.getBuiltinModule('node:http')` : undefined),
}

/** An entry that reaches every module leaves their division into files as it is: it is one more for all of them. */
function exportAll(root: string, programs: string[], testable: Bundle['testable']): Plugin {
  const id = `\0${testingName}`
  const sources = join(root, 'src/')
  return {
    name: 'export all',
    resolveId: (wanted) => (wanted === testingName ? id : undefined),
    async load(wanted) {
      if (wanted !== id) return undefined
      const lines: string[] = []
      const reached = new Set(programs)
      for (const file of reached) {
        const { importedIds, dynamicallyImportedIds, exports: names } = await this.load({ id: file })
        const imported = [...importedIds, ...dynamicallyImportedIds]
        for (const other of imported.filter((one) => one.startsWith(sources))) reached.add(other)
        // A program would start when it is imported.
        if (programs.includes(file)) continue
        const exported = Object.fromEntries(names.map((name) => [name, `m${lines.length}_${name}`]))
        testable[relative(root, file)] = exported
        const renamed = Object.entries(exported).map(([name, other]) => `${name} as ${other}`)
        lines.push(`export { ${renamed.join(', ')} } from ${JSON.stringify(file)}`)
      }
      return lines.join('\n')
    },
  }
}
