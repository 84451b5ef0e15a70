// `npm ci` runs it: writes the service and its packages as a few files of JavaScript (D340). A start from 1,350 files takes
// longer and holds more memory: each is resolved, read and linked, and types are stripped by a WebAssembly module that is
// never freed. Without a bundle the sources run.
import { randomBytes } from 'node:crypto'
import * as fs from 'node:fs'
import { join, parse, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { bundles, recordIn, root, stamp } from './bundled.js'

const [folder = bundles] = process.argv.slice(2)
const sources = join(root, 'src/')

/** Native code, and packages that are loaded only if they are there. */
const external = [/\.node$/, '@node-rs/argon2', '@evan/opus', 'bufferutil', 'pg-native', 'utf-8-validate']

/** Running processes load parts of their bundle late: that of the version before is kept. */
const keptBundles = 2

const programOfThread = /new URL\('\.\/([\w-]+-worker)\.ts', import\.meta\.url\)/g
const ownAddress = /(?<!-worker\.js', )import\.meta\.url/g

/** Files beside a source, such as migrations, are found where they are; programs of threads are part of the bundle. */
const addresses = {
  name: 'addresses',
  transform(code, id) {
    if (!code.includes('import.meta.url') || !id.startsWith(sources)) return undefined
    const bundled = code.replace(programOfThread, "new URL('./$1.js', import.meta.url)")
    return { code: bundled.replace(ownAddress, JSON.stringify(pathToFileURL(id).href)) }
  },
}

const httpId = '\0node:http'

/** Node reads every export of a module that is imported; for one of node:http it loads all of its fetch. */
const httpWithoutFetch = {
  name: 'http without fetch',
  resolveId: (id) => (id === 'node:http' || id === 'http' ? httpId : undefined),
  load: (id) => (id === httpId ? `module.exports = process.getBuiltinModule('node:http')` : undefined),
}

try {
  await writeBundle()
} catch (error) {
  process.stderr.write(`The service runs from its sources, as they could not be bundled: ${error.message}\n`)
}

async function writeBundle() {
  const { rolldown } = await import('rolldown')
  const programs = ['src/main.ts', ...fs.globSync('src/**/*-worker.ts', { cwd: root })]
  const bundle = await rolldown({
    input: Object.fromEntries(programs.map((file) => [parse(file).name, join(root, file)])),
    platform: 'node',
    external,
    plugins: [addresses, httpWithoutFetch],
    logLevel: 'silent',
  })
  const name = randomBytes(4).toString('hex')
  const { output } = await bundle.write({
    dir: join(folder, name),
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
    // V8 stores text with other characters in twice the memory.
    charset: 'ascii',
    comments: false,
    keepNames: true,
  })
  await bundle.close()
  const modules = output.flatMap(({ moduleIds = [] }) => moduleIds)
  const files = modules.filter((id) => id.startsWith(sources)).map((id) => relative(root, id))
  const stamps = Object.fromEntries(['package-lock.json', ...files].map((file) => [file, stamp(file)]))
  writeRecord({ name, madeIn: root, stamps })
  removeOld()
}

/** Whole or not at all. */
function writeRecord(made) {
  const temporary = join(folder, `${made.name}.json`)
  fs.writeFileSync(temporary, JSON.stringify(made))
  fs.renameSync(temporary, recordIn(folder))
}

function removeOld() {
  const made = fs
    .readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => join(folder, entry.name))
    .sort((a, b) => fs.statSync(b).mtimeMs - fs.statSync(a).mtimeMs)
  for (const old of made.slice(keptBundles)) fs.rmSync(old, { recursive: true, force: true })
}
