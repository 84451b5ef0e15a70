/** The README's tour, run line by line against a service started as the README says. */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { programMissing } from '../helpers/programs.ts'
import { makeDataDir, startRamal } from '../helpers/ramal-process.ts'

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
const tour = /<!-- tour -->\n```sh\n([\s\S]+?)```/.exec(readme)?.[1] ?? ''

// biome-ignore lint/suspicious/noExplicitAny: a line is whatever was printed.
function parsed(line: string): any {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

describe.skipIf(programMissing('curl'))('the tour in the README', () => {
  test('does what it says', async () => {
    const data = makeDataDir()
    const ramal = await startRamal({ DATA_DIR: data.path, RATE_LIMITS: 'on' })
    const sip = /SIP\s+(\S+)/.exec(ramal.text())?.[1] ?? ''
    const script = tour
      .replaceAll('http://localhost:3000', ramal.url)
      .replace('--answer auto', `--answer auto --server ${sip}`)
      .replaceAll('\ncurl', '\necho; curl')
    const { stdout } = await promisify(execFile)('sh', ['-euc', script])
    await ramal.kill('SIGTERM')
    data.remove()
    const lines = stdout.split('\n').filter((line) => line !== '')
    const [signup, confirmed, me, bia, found] = lines
    expect(JSON.parse(signup ?? '')).toMatchObject({ status: 201 })
    expect(confirmed).toContain('<h1>')
    expect(JSON.parse(me ?? '')).toMatchObject({
      email: 'ana@aurora.example',
      role: 'ADMIN',
      emailVerified: true,
    })
    expect(JSON.parse(bia ?? '')).toMatchObject({ email: 'bia@aurora.example', role: 'USER' })
    expect(JSON.parse(found ?? '')).toMatchObject([{ name: 'Bia' }])
    expect(stdout).toMatch(/ratelimit-remaining: 58/i)
    expect(stdout).toContain('registered as 1000@aurora.ramal.localhost')
    expect(stdout).toMatch(/over: they hung up; heard .* mostly 1000 Hz/)
    const calls = lines.map(parsed).find((line) => line?.data)
    expect(calls?.data).toMatchObject([{ status: 'completed', metadata: { lead: 7 }, from: '1000' }])
    expect(calls?.data[0].record_url).toMatch(/^http/)
  }, 90_000)
})

test('the README gives the two commands', () => {
  expect(readme).toContain('npm ci && npm start')
  expect(readme).toContain('npm ci && npm test')
})
