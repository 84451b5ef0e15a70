/** The README's tour, run in real shells against a service started as the README says, on ports of its own. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { programMissing } from '../helpers/programs/programs.ts'
import { makeDataDir, startRamal } from '../helpers/programs/ramal-process.ts'
import { newSignup } from '../helpers/service/people.ts'

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
const blocks = [...readme.matchAll(/^```sh tour\n([\s\S]+?)^```/gm)].map(([, block = '']) => block)

// biome-ignore lint/suspicious/noExplicitAny: a line is whatever was printed.
function parsed(line: string): any {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

/** As a script, and as pasted at a prompt: an interactive zsh knows no comments. */
const shells = [
  ['bash', []],
  ['dash', []],
  ['zsh', ['-f', '-i', '-s']],
] as const

describe.skipIf(programMissing('curl'))('the tour in the README', () => {
  const data = makeDataDir()
  let ramal: Awaited<ReturnType<typeof startRamal>>
  beforeAll(async () => {
    ramal = await startRamal({ DATA_DIR: data.path, RATE_LIMITS: 'on' })
  })
  afterAll(async () => {
    await ramal.kill('SIGTERM')
    data.remove()
  })

  /** Runs block after block, until one fails, for an account of this name. */
  async function run(shell: string, args: readonly string[], name: string) {
    const script = blocks
      .map((block) => `${block}[ $? = 0 ] || exit 1\n`)
      .join('')
      .replaceAll('http://localhost:3000', ramal.url)
      .replaceAll('data/operator-token', `${data.path}/operator-token`)
      .replaceAll('aurora', name)
    const child = spawn(shell, args, { stdio: ['pipe', 'pipe', 'pipe'] })
    child.stdin.end(script)
    const [[code], stdout, stderr] = await Promise.all([
      once(child, 'close'),
      text(child.stdout),
      text(child.stderr),
    ])
    return { code, stdout, stderr }
  }

  describe.each(shells)('in %s', (shell, args) => {
    test.skipIf(programMissing(shell))(
      'does what it says',
      async () => {
        const name = `aurora-${shell}`
        const { code, stdout, stderr } = await run(shell, args, name)
        expect([code, stderr.match(/failed|not found|parse error/)]).toEqual([0, null])
        const lines = stdout.split('\n').filter((line) => line !== '')
        const answers = lines.map(parsed).filter((answer) => answer !== undefined)
        const [signup, me, bia, found, extension, hangup, calls] = answers
        expect(signup).toMatchObject({ status: 201 })
        expect(lines).toContainEqual(expect.stringContaining('<h1>'))
        expect(me).toMatchObject({ email: `ana@${name}.example`, role: 'ADMIN', emailVerified: true })
        expect(bia).toMatchObject({ email: `bia@${name}.example`, role: 'USER' })
        expect(found).toMatchObject([{ name: 'Bia' }])
        expect(stdout).toMatch(/ratelimit-remaining: \d+/i)
        expect(extension).toMatchObject({ ramal: '1000' })
        expect(stdout).toContain(`registered as 1000@${name}.ramal.localhost`)
        expect(hangup).toMatchObject({ status: '200' })
        expect(calls?.data).toMatchObject([{ status: 'completed', metadata: { lead: 7 }, from: '1000' }])
        expect(calls?.data[0].record_url).toMatch(/^http/)
        expect(stdout).toMatch(/over: they hung up; heard .* mostly 1000 Hz/)
      },
      90_000,
    )
  })

  test.skipIf(programMissing('dash'))(
    'stops at the step that fails, with the reason',
    async () => {
      await ramal.api.post('/accounts/signup', { ...newSignup(), domain: 'aurora-again.ramal.localhost' })
      const { code, stdout, stderr } = await run('dash', [], 'aurora-again')
      expect([code, stdout]).toEqual([1, ''])
      expect(stderr).toMatch(/This step failed: \{"error":\{"statusCode":422,.*`domain`/)
    },
    90_000,
  )
})

test('the README gives the two commands', () => {
  expect(readme).toContain('npm ci && npm start')
  expect(readme).toContain('npm ci && npm test')
})
