/** Contents of the packages of the clients. */
import { execFileSync, spawnSync } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ApiDocument } from '../../src/http/reference/document.ts'
import { describeClientTypes } from '../../tools/client-types/files.ts'
import { programMissing } from '../helpers/programs/programs.ts'
import { type Service, startService } from '../helpers/service/service.ts'

const clients = fileURLToPath(new URL('../../clients/', import.meta.url))
const read = (path: string) => readFileSync(join(clients, path), 'utf8')
const packageJson = JSON.parse(read('typescript/package.json'))
const composerJson = JSON.parse(read('php/composer.json'))

let service: Service
let description: ApiDocument
beforeAll(async () => {
  service = await startService()
  description = (await service.api.get('/openapi.json')).body
})
afterAll(() => service.stop())

test('the types of clients and console are those of the API description (npm run api-types)', () => {
  for (const { file, text } of describeClientTypes(description))
    expect(readFileSync(file, 'utf8') === text, fileURLToPath(file)).toBe(true)
})

test('clients make an Idempotency-Key for the routes that honour one, and no other (D531)', () => {
  const honoured = Object.entries(description.paths).flatMap(([path, { post }]) =>
    post?.parameters?.some(({ $ref, name }) => /Idempotency-?Key/.test($ref ?? name)) ? [path] : [],
  )
  expect(honoured.length).toBeGreaterThan(3)
  for (const file of ['typescript/src/transport.ts', 'python/ramal/_transport.py', 'php/src/Transport.php']) {
    const [, list = ''] = /keyed = [[(]([^\])]+)[\])]/i.exec(read(file)) ?? []
    const listed = [...list.matchAll(/['"]([^'"]+)['"]/g)].map(([, path]) => path)
    expect(listed.sort(), file).toEqual(honoured.sort())
  }
})

test('the packages have the version of the service, and no dependencies', () => {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  const [, python] = /^version = "(.+)"$/m.exec(read('python/pyproject.toml')) ?? []
  const [, module] = /^__version__ = "(.+)"$/m.exec(read('python/ramal/__init__.py')) ?? []
  expect([packageJson.version, composerJson.version, python, module]).toEqual(Array(4).fill(version))
  expect(read('python/ramal/_transport.py')).toContain(`ramal-python/${version}`)
  expect(read('php/src/Transport.php')).toContain(`ramal-php/${version}`)
  expect(Object.keys(packageJson)).not.toContain('dependencies')
  expect(Object.keys(composerJson.require)).toEqual(['php', 'ext-curl', 'ext-json'])
})

test('the TypeScript client is below 12 kB with gzip', () => {
  const target = mkdtempSync(join(tmpdir(), 'ramal-size-'))
  const tsc = fileURLToPath(new URL('../../node_modules/.bin/tsc', import.meta.url))
  execFileSync(tsc, ['-p', '.', '--outDir', target], { cwd: join(clients, 'typescript') })
  const files = globSync('*.js', { cwd: target })
  const size = files.reduce((sum, file) => sum + gzipSync(readFileSync(join(target, file))).length, 0)
  rmSync(target, { recursive: true })
  expect(size).toBeGreaterThan(3_000)
  expect(size).toBeLessThan(12_000)
})

test.skipIf(programMissing('python3'))(
  'the Python client is read by Python 3.9, and its types resolve',
  () => {
    const program = `
import ast, pathlib, typing
for path in pathlib.Path("ramal").glob("*.py"):
    ast.parse(path.read_text(), feature_version=(3, 9))
import ramal
for name, value in vars(ramal.types).items():
    if typing.is_typeddict(value):
        typing.get_type_hints(value)
print(len(typing.get_args(ramal.types.WebhookEvent)))
`
    const { stdout, stderr } = spawnSync('python3', ['-B', '-c', program], {
      cwd: join(clients, 'python'),
      encoding: 'utf8',
    })
    expect(stderr).toBe('')
    expect(Number(stdout)).toBe(Object.keys(description.webhooks).length)
  },
)

/** Features of PHP 8.2 and later: classes and types, typed constants, and functions. */
const newerPhp = [
  /\breadonly (?:(?:final|abstract) )?class\b/,
  /\)\s*:\s*(?:true|false|null)\s*[{;]/,
  /\bconst \??[\w|\\]+ \w+\s*=/,
  /\b(?:json_validate|ini_parse_quantity|curl_upkeep|mb_str_pad|str_(?:in|de)crement|array_(?:find|find_key|any|all|first|last)|mb_l?r?trim|mb_[lu]cfirst)\(/,
  /\bRandom\\/,
]

test.skipIf(programMissing('php'))('the PHP client uses nothing that came after PHP 8.1', () => {
  const newerIn = (code: string) => newerPhp.filter((pattern) => pattern.test(code))
  const samples = [
    'readonly class A {}',
    'f(): null {',
    'const int A = 1;',
    'json_validate($a)',
    'new Random\\Engine',
  ]
  expect(samples.filter((code) => newerIn(code).length !== 1)).toEqual([])
  const files = globSync('**/*.php', { cwd: join(clients, 'php') })
  expect(files.length).toBeGreaterThan(20)
  for (const file of files) {
    // Without comments.
    const code = execFileSync('php', ['-w', file], { cwd: join(clients, 'php'), encoding: 'utf8' })
    expect(newerIn(code), file).toEqual([])
  }
})

test('a class of the PHP client is in the file where Composer looks for it', () => {
  expect(composerJson.autoload).toEqual({ 'psr-4': { 'Ramal\\': 'src/' } })
  const files = globSync('**/*.php', { cwd: join(clients, 'php/src') })
  expect(files.length).toBeGreaterThan(30)
  for (const file of files) {
    const text = read(`php/src/${file}`)
    const [, namespace] = /^namespace (.+);$/m.exec(text) ?? []
    const [, name] = /^(?:final )?(?:class|interface) (\w+)/m.exec(text) ?? []
    expect(`${namespace}\\${name}`).toBe(`Ramal\\${file.replaceAll('/', '\\').replace(/\.php$/, '')}`)
  }
})
