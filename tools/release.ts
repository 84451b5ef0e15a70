/**
 * `npm run release`: the service as one archive that runs as it is, for the platform this runs on (D340):
 *
 *   release/ramal-<version>-<platform>.tgz           npm install -g, or tar -xzf
 *   release/ramal-<version>-<platform>.cdx.json      what is in it, as a CycloneDX SBOM (D538)
 *   release/SHA256SUMS                               of both
 *   release/package                                  the files of the archive
 *   release/testing.js, testing.json                 by which tests import the modules of its bundle (D450)
 *
 * The packages of the clients are in its folder `clients`. `--unpacked` leaves out the archive and these packages.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { writeBundle } from './release/bundle.ts'
import { copyNative, copyNode, listPackages, writeLicences } from './release/packages.ts'
import { digestOf, sbomFile, writeSbom } from './release/sbom.ts'

const { values: options } = parseArgs({ options: { unpacked: { type: 'boolean' } } })

const root = fileURLToPath(new URL('../', import.meta.url))
const release = join(root, 'release')
const target = join(release, 'package')
const testingFile = join(release, 'testing.js')
const platform = `${process.platform}-${process.arch}`

/** Read where they are in a checkout, too. */
const files = [
  'LICENSE',
  'Containerfile',
  'compose.yaml',
  'CHANGELOG.md',
  'bin/*.js',
  'src/store/migrations/*.sql',
  'console/look/{ink,base}.css',
  'console/public/icon.svg',
  'docs/**/*.{md,webp}',
  'clients/{README.md,*.json,*/README.md}',
  'docs/samples/*',
  'samples/README.md',
  'samples/*/*',
  'site/**/*',
  'deploy/{compose,kubernetes,systemd}/**/*',
]

rmSync(release, { recursive: true, force: true })
mkdirSync(target, { recursive: true })
for (const file of globSync(files, { cwd: root, withFileTypes: true }).filter((one) => one.isFile())) {
  const path = join(file.parentPath, file.name)
  cpSync(path, join(target, path.slice(root.length)))
}
cpSync(join(root, 'deploy/archive/README.md'), join(target, 'README.md'))
const { modules, testable } = await writeBundle(root, join(target, 'dist'), testingFile)
writeFileSync(join(release, 'testing.json'), JSON.stringify(testable))
const consoleFolder = join(target, 'console/built')
await buildConsole()
const packages = copyNative(root, target)
copyNode(root, target)
const consoleFile = join(consoleFolder, 'licences.json')
const shipped = listPackages(root, { modules, packages: Object.keys(packages), consoleFile })
for (const file of globSync(`${consoleFile}*`)) rmSync(file)
writeLicences(target, shipped)
writeSbom(root, target, shipped)
writeManifest()
if (!options.unpacked) {
  packClients()
  writeArchive()
}

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

/** The wheel is made by Python. */
function packClients() {
  if (spawnSync('python3', ['--version']).status !== 0) {
    process.stderr.write('The packages of the clients are left out: python3 is missing.\n')
    return
  }
  execFileSync(process.execPath, [join(root, 'tools/pack-clients.ts'), join(target, 'clients')], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}

function writeManifest() {
  const own = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const { name, version, description, license, type, engines, bin } = own
  const { start, ramal, phone, demo } = own.scripts
  // D541: an older one hands over to the Node of the release, which there is for Linux only.
  const hasOwnNode = existsSync(join(target, 'bin/node'))
  const manifest = {
    name,
    version,
    description,
    license,
    private: true,
    type,
    engines: hasOwnNode ? engines : { node: '>=22.19' },
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
  const name = `ramal-${version}-${platform}`
  renameSync(join(release, filename), join(release, `${name}.tgz`))
  cpSync(join(target, sbomFile), join(release, `${name}.cdx.json`))
  const sums = [`${name}.tgz`, `${name}.cdx.json`].map(
    (file) => `${digestOf(join(release, file))}  ${file}\n`,
  )
  writeFileSync(join(release, 'SHA256SUMS'), sums.join(''))
  process.stdout.write(`${join(release, `${name}.tgz`)}\n`)
}
