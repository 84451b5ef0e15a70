/** D169: what `npm ci` would warn about. */
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const read = (name: string) => JSON.parse(readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8'))

type Package = { engines?: unknown; hasInstallScript?: boolean; deprecated?: string }

const packages: [path: string, found: Package][] = Object.entries(read('package-lock.json').packages)
const installed = packages.filter(([path]) => path !== '')
const named = (holds: (found: Package) => boolean) =>
  installed.filter(([, found]) => holds(found)).map(([path]) => path.replace(/^.*node_modules\//, ''))

test('no package names the Node it needs: npm would compare it with its own (npm run lockfile leaves it out)', () => {
  expect(named(({ engines }) => engines !== undefined)).toEqual([])
})

test('every install script is allowed or refused', () => {
  const reviewed = Object.keys(read('package.json').allowScripts)
  expect(
    named(({ hasInstallScript }) => hasInstallScript === true).filter((name) => !reviewed.includes(name)),
  ).toEqual([])
})

test('no package is deprecated', () => {
  expect(named(({ deprecated }) => deprecated !== undefined)).toEqual([])
})

test('what only the console is built from is a development package: the release has the console built (D340)', () => {
  const root = fileURLToPath(new URL('../../', import.meta.url))
  const files = globSync('console/**/*.{ts,tsx}', { cwd: root }).filter(
    (file) => !file.startsWith('console/dist/'),
  )
  const imported = files.flatMap((file) =>
    [...readFileSync(`${root}${file}`, 'utf8').matchAll(packageImport)].map(([, name = '']) =>
      name
        .split('/')
        .slice(0, name.startsWith('@') ? 2 : 1)
        .join('/'),
    ),
  )
  const packages = new Set(imported.filter((name) => !name.startsWith('node:')))
  expect(packages).toContain('vite')
  expect(packages).toContain('react')
  // The service draws QR codes, too.
  packages.delete('uqr')
  const { devDependencies } = read('package.json')
  expect([...packages].filter((name) => !Object.hasOwn(devDependencies, name))).toEqual([])
})

/** Types are gone when the console is built. */
const packageImport = /^import (?!type )(?:[^'";]*? from )?'([^.'][^']*)'/gm
