/** Every command in the documentation, run as a reader would run it: in the order of its page, in one shell. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { programMissing } from '../helpers/programs/programs.ts'
import { makeDataDir, startRamal } from '../helpers/programs/ramal-process.ts'
import { blocksOf, type Folder, folders, readSource, written } from './pages.ts'

const codeOf = (folder: Folder, name: string, info: string) =>
  blocksOf(readSource(folder, name))
    .filter((block) => block.info === info)
    .map(({ code }) => code)

test('both languages have the same tour', () => {
  const portuguese = codeOf('pt-BR', 'start', 'sh tour').map((code) =>
    code.replace('Este passo falhou', 'This step failed'),
  )
  expect(portuguese).toEqual(codeOf('en', 'start', 'sh tour'))
})

describe.skipIf(programMissing('curl'))('with a service', () => {
  const data = makeDataDir()
  const folder = mkdtempSync(join(tmpdir(), 'ramal-reader-'))
  let ramal: Awaited<ReturnType<typeof startRamal>>

  beforeAll(async () => {
    ramal = await startRamal({ DATA_DIR: data.path })
    // As `npm install -g` does.
    const program = fileURLToPath(new URL('../../bin/ramal.js', import.meta.url))
    writeFileSync(join(folder, 'ramal'), `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`, {
      mode: 0o755,
    })
  })
  afterAll(async () => {
    await ramal.kill('SIGTERM')
    data.remove()
    rmSync(folder, { recursive: true, force: true })
  })

  /** Runs block after block, until one fails, for the account of a language. */
  async function run(blocks: string[], language: Folder, cwd: string) {
    const script = blocks
      .map((block) => `${block}[ $? = 0 ] || exit 1\n`)
      .join('')
      .replaceAll('http://localhost:3000', ramal.url)
      .replaceAll('data/operator-token', `${data.path}/operator-token`)
      .replaceAll('aurora', `aurora-${language.toLowerCase()}`)
    const env = {
      ...process.env,
      PATH: `${folder}${delimiter}${process.env.PATH}`,
      RAMAL_URL: ramal.url,
      RAMAL_OPERATOR_TOKEN: readFileSync(join(data.path, 'operator-token'), 'utf8').trim(),
    }
    const child = spawn('bash', [], { cwd, env, stdio: ['pipe', 'pipe', 'pipe'] })
    child.stdin.end(script)
    const [[code], stdout, stderr] = await Promise.all([
      once(child, 'close'),
      text(child.stdout),
      text(child.stderr),
    ])
    return { code, stdout, stderr }
  }

  describe.each(folders)('in %s', (language) => {
    const tour = codeOf(language, 'start', 'sh tour')
    const guides = written.filter((name) => codeOf(language, name, 'sh run').length > 0)
    let token = ''

    test('the tour ends with a recorded call', { timeout: 90_000 }, async () => {
      const { code, stdout, stderr } = await run([...tour, 'echo "token=$token"\n'], language, process.cwd())
      expect([code, stderr.match(/failed|falhou|not found/)]).toEqual([0, null])
      expect(stdout).toMatch(/"status":"completed".*"record_url":"http/)
      token = /^token=(\w+)$/m.exec(stdout)?.[1] ?? ''
      expect(token).toHaveLength(64)
    })

    test.each(guides)('the commands of %s do what they say', { timeout: 60_000 }, async (name) => {
      const [preparation = ''] = tour
      const blocks = [preparation, `token=${token}\n`, ...codeOf(language, name, 'sh run')]
      const { code, stdout, stderr } = await run(blocks, language, folder)
      expect([code, stderr]).toEqual([0, ''])
      expect(stdout).toMatch(/^(?:[{[]|Service {4}http)/)
    })
  })
})
