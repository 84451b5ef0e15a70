/** D169: what `npm ci` would warn about. */
import { globSync, readFileSync } from 'node:fs'
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

test('what the service and its console import is no development package: `npm ci --omit=dev` has it', () => {
  const root = new URL('../../', import.meta.url).pathname
  const { dependencies } = read('package.json')
  const files = globSync(['src/**/*.ts', 'console/**/*.{ts,tsx}', 'bin/*.js'], { cwd: root }).filter(
    (file) => !/\.test\.ts$|\/testing\/|^console\/dist\//.test(file),
  )
  const imported = files.flatMap((file) =>
    [
      ...readFileSync(`${root}${file}`, 'utf8').matchAll(
        /^(?:import|export) (?!type )[^'\n]*?(?:[\s\S]*?from )?'([^.'][^']*)'/gm,
      ),
    ].map(([, name = '']) => `${file}: ${name.split('/', name.startsWith('@') ? 2 : 1).join('/')}`),
  )
  expect(imported.length).toBeGreaterThan(100)
  const missing = imported.filter((line) => {
    const [, name = ''] = line.split(': ')
    return !name.startsWith('node:') && !Object.hasOwn(dependencies, name)
  })
  expect(missing).toEqual([])
})
