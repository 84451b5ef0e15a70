/**
 * `npm run release`: the service as one archive that runs as it is, for the platform this runs on (D340):
 *
 *   release/ramal-<version>-<platform>.tgz           npm install -g, or tar -xzf
 *   release/ramal-<version>-<platform>.tgz.sha256
 *   release/package                                  what is in it
 *   release/testing.js, testing.json                 by which tests import the modules of its bundle (D450)
 *
 * `--unpacked` leaves out the archive.
 */
import { execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { cpSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { writeBundle } from './release/bundle.ts'
import { copyNative, copyNode, writeLicences } from './release/packages.ts'

const { values: options } = parseArgs({ options: { unpacked: { type: 'boolean' } } })

const root = fileURLToPath(new URL('../', import.meta.url))
const release = join(root, 'release')
const target = join(release, 'package')
const testingFile = join(release, 'testing.js')
const platform = `${process.platform}-${process.arch}`

/** Read where they are in a checkout, too. */
const files = [
  'LICENSE',
  'README.md',
  'CHANGELOG.md',
  'bin/*.js',
  'src/store/migrations/*.sql',
  'console/look/{ink,base}.css',
  'console/public/icon.svg',
  'docs/**/*.md',
  'deploy/**/*',
]

rmSync(release, { recursive: true, force: true })
mkdirSync(target, { recursive: true })
for (const file of globSync(files, { cwd: root, withFileTypes: true }).filter((one) => one.isFile())) {
  const path = join(file.parentPath, file.name)
  cpSync(path, join(target, path.slice(root.length)))
}
const { modules, testable } = await writeBundle(root, join(target, 'dist'), testingFile)
writeFileSync(join(release, 'testing.json'), JSON.stringify(testable))
const consoleFolder = join(target, 'console/built')
await buildConsole()
const consoleLicences = readFileSync(join(consoleFolder, 'licences.md'), 'utf8')
rmSync(join(consoleFolder, 'licences.md'))
const packages = copyNative(root, target)
copyNode(root, target)
writeLicences(root, target, { modules, packages: Object.keys(packages), consoleLicences })
writeManifest()
if (!options.unpacked) writeArchive()

async function buildConsole() {
  const child = spawn(process.execPath, [join(root, 'console/build.ts'), consoleFolder], {
    cwd: root,
    env: { ...process.env, NODE_ENV: 'production' },
    // It ends with its standard input.
    stdio: ['pipe', 'inherit', 'inherit'],
  })
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error('The console could not be built.')
}

function writeManifest() {
  const own = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const { name, version, description, license, type, engines, bin } = own
  const { start, ramal, phone, demo } = own.scripts
  const manifest = {
    name,
    version,
    description,
    license,
    private: true,
    type,
    engines,
    os: [process.platform],
    cpu: [process.arch],
    bin,
    scripts: { start, ramal, phone, demo },
    dependencies: packages,
    bundleDependencies: Object.keys(packages),
  }
  writeFileSync(join(target, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
}

/** By npm: entries are sorted and have no times, so that the same files make the same archive. */
function writeArchive() {
  const text = execFileSync(
    'npm',
    ['pack', target, '--json', '--ignore-scripts', '--pack-destination', release],
    {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  const [{ filename, version }] = JSON.parse(text)
  const name = `ramal-${version}-${platform}.tgz`
  renameSync(join(release, filename), join(release, name))
  const digest = createHash('sha256')
    .update(readFileSync(join(release, name)))
    .digest('hex')
  writeFileSync(join(release, `${name}.sha256`), `${digest}  ${name}\n`)
  process.stdout.write(`${join(release, name)}\n`)
}
