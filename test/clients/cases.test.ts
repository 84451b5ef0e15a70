/** The clients have one behaviour (D530, D532): clients/cases.json is run with each of them, as it is packed and installed. */
import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { errorCatalogue } from '../../src/contract/error-catalogue.ts'
import { programMissing } from '../helpers/programs/programs.ts'
import { findOldest, type Interpreter } from './oldest-interpreters.ts'
import { installClient, languages, programs } from './packed-clients.ts'
import { type Script, type ScriptedAnswer, startScriptedService } from './scripted-service.ts'

type Case = {
  name: string
  options?: Record<string, unknown>
  do: [operation: string, args?: object][]
  answers: ScriptedAnswer[]
  result?: unknown
  /** `begins`: the beginning of its text, with `$url` for the base URL. */
  error?: Record<string, unknown> & { begins?: string }
}
type Outcome = { result?: unknown; error?: Record<string, unknown> }

const read = (name: string) =>
  JSON.parse(readFileSync(new URL(`../../clients/${name}`, import.meta.url), 'utf8'))
const cases: Case[] = read('cases.json')
type ErrorTable = Record<'parents' | 'byCode' | 'byStatus', Record<string, string>>
const errors: ErrorTable = read('errors.json')

/** D530: every code of the catalogue, as the service would answer it. */
const refusals = Object.entries(errorCatalogue).map(([code, [status]]): Case => {
  const error = { statusCode: status, name: 'Error', message: 'no', code, errorCode: code }
  return {
    name: code,
    options: { maxRetries: 0 },
    do: [['users.me']],
    answers: [{ expect: { method: 'GET', path: '/users/me' }, status, body: { error } }],
  }
})
const all = [...cases, ...refusals]

function ancestry(name: string | undefined): string[] {
  return name === undefined ? [] : [name, ...ancestry(errors.parents[name])]
}

type Ran = { outcomes: Outcome[]; scripts: Script[]; urlOf: (index: number) => string }

/** Results of all cases with one interpreter. */
async function run({ language, program }: Interpreter): Promise<Ran> {
  const client = await installClient(language, program)
  const service = await startScriptedService(all.map(({ answers }) => answers))
  const input = all.map(({ options = {}, do: steps }, index) => {
    const { baseSuffix = '', ...own } = options
    return { baseUrl: `${service.urlOf(index)}${baseSuffix}`, options: { token: 't0ken', ...own }, steps }
  })
  try {
    const outcomes = JSON.parse(await client.runDriver('drivers/driver', JSON.stringify(input)))
    return { outcomes, scripts: service.scripts, urlOf: service.urlOf }
  } finally {
    await service.stop()
    client.remove()
  }
}

const usual = languages
  .filter((language) => !programMissing(programs[language]))
  .map((language) => ({ name: `${language} client`, language, program: programs[language] }))
const present = [...usual, ...findOldest()]
const ran = new Map<string, Ran>()
beforeAll(async () => {
  await Promise.all(present.map(async (one) => ran.set(one.name, await run(one))))
})

describe.each(present)('the $name', ({ name: interpreter }) => {
  test.each(cases.map(({ name }, index) => ({ name, index })))('$name', ({ index }) => {
    const { result, error } = cases[index] ?? {}
    const { outcomes = [], scripts = [], urlOf } = ran.get(interpreter) ?? {}
    const outcome = outcomes[index]
    if (error) {
      const { begins = '', ...facts } = error
      expect(outcome?.error, JSON.stringify(outcome)).toMatchObject(facts)
      const beginning = begins.replace('$url', urlOf?.(index) ?? '')
      expect(String(outcome?.error?.message).slice(0, beginning.length)).toBe(beginning)
    } else expect(outcome).toEqual({ result })
    expect(scripts[index]?.problems()).toEqual([])
  })

  test('every code of the error catalogue is the class that clients/errors.json says (D530)', () => {
    const found = (ran.get(interpreter)?.outcomes ?? [])
      .slice(cases.length)
      .map(({ error }) => error?.classes)
    const expected = Object.entries(errorCatalogue).map(([code, [status]]) =>
      ancestry(errors.byCode[code] ?? errors.byStatus[status]),
    )
    expect(found).toEqual(expected)
  })
})
