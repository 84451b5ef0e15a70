/** `npm run pack-clients`: writes the packages of the clients to release/clients, or `<folder> [language]`. */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../', import.meta.url))
const clients = join(root, 'clients')
const [folder = join(root, 'release/clients'), only] = process.argv.slice(2)
const target = resolve(folder)
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
mkdirSync(target, { recursive: true })

const run = (program: string, args: string[], cwd: string) =>
  execFileSync(program, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] })

/**
 * Files that `composer archive` would put into the archive, in one folder: Composer takes it off, people see it when they unpack.
 * With a fixed time: the same sources make the same archive.
 */
const zipping = `
import pathlib, sys, zipfile
files = {path.as_posix(): path for path in sorted(pathlib.Path(".").rglob("*")) if path.is_file()}
files["LICENSE"] = pathlib.Path("../../LICENSE")
with zipfile.ZipFile(sys.argv[1], "w") as archive:
    for name, path in files.items():
        entry = zipfile.ZipInfo("ramal/" + name, (2020, 1, 1, 0, 0, 0))
        entry.external_attr = 0o644 << 16
        archive.writestr(entry, path.read_bytes(), zipfile.ZIP_DEFLATED)
`

const packers = {
  /** In a folder of its own: several may be packed at once. */
  typescript() {
    const built = mkdtempSync(join(tmpdir(), 'ramal-client-'))
    run(
      join(root, 'node_modules/.bin/tsc'),
      ['-p', '.', '--outDir', join(built, 'dist')],
      join(clients, 'typescript'),
    )
    for (const file of ['LICENSE', 'clients/typescript/README.md', 'clients/typescript/package.json'])
      cpSync(join(root, file), join(built, file.split('/').at(-1) ?? file))
    run('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', target], built)
    rmSync(built, { recursive: true })
  },
  python: () => run('python3', ['-B', 'build_wheel.py', target], join(clients, 'python')),
  php: () =>
    run('python3', ['-c', zipping, join(target, `ramal-client-${version}.zip`)], join(clients, 'php')),
}

for (const [language, pack] of Object.entries(packers)) {
  if (only === undefined || only === language) pack()
}
