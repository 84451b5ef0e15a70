/** The README's tour, run line by line against a service started as the README says. */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { programMissing } from '../helpers/programs.ts'
import { makeDataDir, startRamal } from '../helpers/ramal-process.ts'

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
const tour = /<!-- tour -->\n```sh\n([\s\S]+?)```/.exec(readme)?.[1] ?? ''

describe.skipIf(programMissing('curl'))('the tour in the README', () => {
  test('does what it says', async () => {
    const data = makeDataDir()
    const ramal = await startRamal({ DATA_DIR: data.path, RATE_LIMITS: 'on' })
    const script = tour.replaceAll('http://localhost:3000', ramal.url).replaceAll('\ncurl', '\necho; curl')
    const { stdout } = await promisify(execFile)('sh', ['-euc', script])
    await ramal.kill('SIGTERM')
    data.remove()
    const [signup, confirmed, me, bia, found, remaining, ...rest] = stdout
      .split('\n')
      .filter((line) => line !== '')
    expect(JSON.parse(signup ?? '')).toMatchObject({ status: 201 })
    expect(confirmed).toContain('<h1>')
    expect(JSON.parse(me ?? '')).toMatchObject({
      email: 'ana@aurora.example',
      role: 'ADMIN',
      emailVerified: true,
    })
    expect(JSON.parse(bia ?? '')).toMatchObject({ email: 'bia@aurora.example', role: 'USER' })
    expect(JSON.parse(found ?? '')).toMatchObject([{ name: 'Bia' }])
    expect([remaining, ...rest].join('\n')).toMatch(/ratelimit-remaining: 58/i)
    expect(JSON.parse(rest.at(-1) ?? '').data[0]).toMatchObject({ action: 'user.created' })
  })
})

test('the README gives the two commands', () => {
  expect(readme).toContain('npm ci && npm start')
  expect(readme).toContain('npm ci && npm test')
})
