/** The help of every verb, and what mistakes on the command line are answered with. */
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { command } from '../../../src/kit/process/command.ts'
import { launch, makeDataDir, runRamal } from '../../helpers/programs/ramal-process.ts'
import { runHere } from '../../helpers/programs/run-here.ts'

const scratch = makeDataDir()
afterAll(scratch.remove)

/** A verb that did anything would make this folder, and fail because of the other setting. */
const dataDir = join(scratch.path, 'data')
const env = { DATA_DIR: dataDir, PORT: 'no port' }
const run = (...args: string[]) => runRamal(args, env)

const { text: list } = await run('--help')
const verbs = [...list.matchAll(/^ {2}([a-z]+) {2,}/gm)].map(([, verb = '']) => verb)

describe.concurrent('help', () => {
  test.each([[['--help']], [['-h']], [['help']], [[]]])(
    '%j lists the verbs and ends with 0',
    async (args) => {
      expect(await run(...args)).toEqual({ code: 0, text: list })
      expect(verbs).toEqual(expect.arrayContaining(['serve', 'migrate', 'doctor', 'demo', 'credit', 'phone']))
    },
  )

  test('ledger --help is the help of the verb, and help ledger the same', async () => {
    const { code, text } = await run('ledger', '--help')
    expect([code, text]).toEqual([0, expect.stringMatching(/^Usage: ramal ledger /)])
    expect(await run('help', 'ledger')).toEqual({ code, text })
  })
})

test.each(verbs)('%s --help prints help, does nothing else and ends with 0', async (verb) => {
  const { code, output, errors } = await runHere([verb, '--help'], env)
  expect([code, output, errors]).toEqual([0, expect.stringContaining(`Usage: ${command} `), ''])
  expect(existsSync(dataDir)).toBe(false)
})

describe('a mistake', () => {
  test('an unknown option ends with 2, one sentence and a hint', async () => {
    expect(await runRamal(['ledger', '--loud'], { DATA_DIR: dataDir })).toEqual({
      code: 2,
      text: `Unknown option '--loud'.\nSee: ramal ledger --help\n`,
    })
  })

  test.each(verbs)('%s refuses an unknown option, and does nothing', async (verb) => {
    expect(await runHere([verb, '--loud'], { DATA_DIR: dataDir })).toEqual({
      code: 2,
      output: '',
      errors: `Unknown option '--loud'.\nSee: ${command} ${verb} --help\n`,
    })
    expect(existsSync(dataDir)).toBe(false)
  })

  test.each(['dance', '--loud', 'constructor'])('%s is no verb: 2, one sentence and a hint', async (word) => {
    const errors = `There is no verb ${word}.\nSee: ${command} --help\n`
    expect(await runHere([word], env)).toEqual({ code: 2, output: '', errors })
  })
})

test('hints name the script of npm where npm runs the program, and the installed command elsewhere', async () => {
  const byNpm = await runRamal(['dance'], { DATA_DIR: dataDir, npm_lifecycle_event: 'ramal' })
  expect(byNpm.text).toContain('See: npm run ramal -- --help')
  expect((await run('dance')).text).toContain('See: ramal --help')
})

test('a reader that closes its end of the pipe is no error', async () => {
  const child = launch(['--help'], { DATA_DIR: dataDir })
  child.stdout?.destroy()
  const [code] = await once(child, 'close')
  expect([code, child.text()]).toEqual([0, ''])
})

test('--version prints the version', async () => {
  const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'))
  expect(await run('--version')).toEqual({ code: 0, text: `${version}\n` })
})

test('the README names every verb', () => {
  const readme = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8')
  const commands = [...list.matchAll(/^ {2}\w+ +((?:\w+(?: [\w-]+)+(?:, )?)+):/gm)].flatMap(
    ([, found = '']) => found.split(', '),
  )
  const plain = verbs.filter((verb) => !commands.some((command) => command.startsWith(`${verb} `)))
  expect([...plain, ...commands].filter((verb) => !readme.includes(`\`${verb}\``))).toEqual([])
})
