/** How the console reaches a browser (D310, D311): built, compressed, cached, and small. */
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { startConsoleBuild } from '../../src/http/console/console-build.ts'
import { failedPage } from '../../src/http/console/waiting-page.ts'
import { createLog } from '../../src/kit/process/log.ts'
import { runRamal } from '../helpers/programs/ramal-process.ts'
import { type Service, startService } from '../helpers/service/service.ts'

const browser = 'text/html,application/xhtml+xml,*/*;q=0.8'
const kilobyte = 1000

let service: Service

beforeAll(async () => {
  service = await startService({ CONSOLE: 'on' })
  await service.app.consoleBuild?.finished
})
afterAll(() => service?.stop())

const open = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${service.url}${path}`, { headers: { accept: browser, ...headers }, redirect: 'manual' })

/** As a browser with gzip receives it: what a file weighs. */
async function weigh(path: string): Promise<number> {
  const answer = await open(path, { 'accept-encoding': 'gzip' })
  expect([answer.status, answer.headers.get('content-encoding')]).toEqual([200, 'gzip'])
  const { consoleBuild } = service.app
  const current = consoleBuild?.read()
  const file = current?.state === 'ready' ? current.files.get(path.replace('/console/', '')) : undefined
  expect(gunzipSync(file?.gzip ?? '').equals(file?.plain ?? Buffer.of())).toBe(true)
  return file?.gzip?.length ?? 0
}

test('`ramal console build` leaves nothing to build for the start of the service', async () => {
  const { code, text } = await runRamal(['console', 'build'], { DATA_DIR: service.dataDir })
  expect([code, text]).toEqual([0, 'The console is built.\n'])
})

test('/ leads a browser to /console and a program to /docs', async () => {
  expect((await open('/')).headers.get('location')).toBe('/console')
  expect((await open('/', { accept: '*/*' })).headers.get('location')).toBe('/docs')
})

test.each(['/console', '/console/', '/console/calls?period=today', '/console/calls/1'])(
  '%s is the page, which is asked for again each time and loads nothing from elsewhere (D311)',
  async (path) => {
    const answer = await open(path)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('cache-control')).toBe('no-cache')
    const policy = answer.headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'")
    expect(policy).toContain("require-trusted-types-for 'script'")
    expect(policy).not.toMatch(/unsafe|https?:|\*/)
    expect(answer.headers.get('permissions-policy')).toContain('microphone=(self)')
    const page = await answer.text()
    expect(page).not.toMatch(/<script>|<style|style=|https?:/)
    const again = await open(path, { 'if-none-match': answer.headers.get('etag') ?? '' })
    expect(again.status).toBe(304)
  },
)

test('hashed files are kept for ever, and a file that is gone is no page', async () => {
  const page = await (await open('/console')).text()
  const [script = ''] = page.match(/\/console\/assets\/[^"]+\.js/) ?? []
  const answer = await open(script, { 'accept-encoding': 'br' })
  expect(answer.headers.get('cache-control')).toContain('immutable')
  expect(answer.headers.get('content-encoding')).toBe('br')
  expect(answer.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
  expect((await open('/console/assets/gone-12345678.js')).status).toBe(404)
})

test('the first load is below 100 kB, any page below 30 kB, the phone below 65 kB, with gzip', async () => {
  const page = await (await open('/console')).text()
  const first = [...page.matchAll(/\/console\/assets\/[^"]+\.(?:js|css)/g)].map(([path]) => path)
  let total = 0
  for (const path of first) total += await weigh(path)
  expect(total).toBeLessThan(100 * kilobyte)
  expect(total).toBeGreaterThan(50 * kilobyte)
  const current = service.app.consoleBuild?.read()
  const files = current?.state === 'ready' ? [...current.files.keys()] : []
  for (const name of files.filter((one) => one.endsWith('.js') && !first.includes(`/console/${one}`))) {
    const most = /agent|jssip/i.test(name) ? 65 : 30
    expect(await weigh(`/console/${name}`), name).toBeLessThan(most * kilobyte)
  }
})

test('a build that fails is a sentence, and no reason to stop (D310)', async () => {
  const root = await mkdtemp(join(tmpdir(), 'ramal-console-'))
  onTestFinished(() => rm(root, { recursive: true }))
  await mkdir(join(root, 'console'))
  await writeFile(join(root, 'package-lock.json'), '{}')
  await writeFile(
    join(root, 'console/build.ts'),
    "process.stderr.write('No <bundler> here\\n'); process.exit(1)",
  )
  const build = startConsoleBuild({ dataDir: root, log: createLog('silent'), root })
  expect(build.read()).toEqual({ state: 'building' })
  await build.finished
  expect(build.read()).toEqual({ state: 'failed', reason: 'No <bundler> here' })
  expect(failedPage('No <bundler> here', 'en')).toContain('No &#60;bundler&#62; here')
})

test('a console is built again when the client that it is built on has changed (D310)', async () => {
  const root = await mkdtemp(join(tmpdir(), 'ramal-console-'))
  onTestFinished(() => rm(root, { recursive: true }))
  const client = join(root, 'clients/typescript/src')
  for (const folder of [join(root, 'console'), client]) await mkdir(folder, { recursive: true })
  await writeFile(join(root, 'package-lock.json'), '{}')
  await writeFile(
    join(root, 'console/build.ts'),
    "import { writeFileSync } from 'node:fs'; writeFileSync(process.argv[2] + '/index.html', '<!doctype html>')",
  )
  const build = async () => {
    const { finished } = startConsoleBuild({ dataDir: root, log: createLog('silent'), root })
    await finished
    return await readdir(join(root, 'console/dist'))
  }
  await writeFile(join(client, 'transport.ts'), '// first')
  const before = await build()
  expect(await build()).toEqual(before)
  await writeFile(join(client, 'transport.ts'), '// second')
  const after = await build()
  expect([before.length, after.length]).toEqual([1, 1])
  expect(after).not.toEqual(before)
})

test('a console that is built is read before the service listens, so that its first request gets the page (D310)', async () => {
  const root = await mkdtemp(join(tmpdir(), 'ramal-console-'))
  onTestFinished(() => rm(root, { recursive: true }))
  await mkdir(join(root, 'console/built/assets'), { recursive: true })
  await writeFile(join(root, 'console/built/index.html'), '<!doctype html>')
  const build = startConsoleBuild({ dataDir: root, log: createLog('silent'), root })
  await build.looked
  expect(build.read().state).toBe('ready')

  const again = await startService({ CONSOLE: 'on' })
  onTestFinished(() => again.stop())
  expect(again.app.consoleBuild?.read().state).toBe('ready')
  expect((await fetch(`${again.url}/console`)).status).toBe(200)
})

test('a service without a console says so at / and has none', async () => {
  const without = await startService()
  onTestFinished(() => without.stop())
  const answer = await fetch(`${without.url}/`, { headers: { accept: browser }, redirect: 'manual' })
  expect(answer.status).toBe(200)
  expect((await fetch(`${without.url}/console`)).status).toBe(404)
})
