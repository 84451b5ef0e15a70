/** Where SQL stands, and which tables it touches. */
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { foreignAccess, tableOwners } from './table-owners.ts'
import type { Tables } from './tables.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

const files = globSync('src/**/*.ts', { cwd: root })
  .filter((file) => !/\.test\.ts$|(^|\/)testing\/|^src\/(store|filter)\//.test(file))
  .map((file) => ({ file, code: withoutComments(readFileSync(`${root}${file}`, 'utf8')) }))

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/ .*$/gm, '')
}

const builder = /\.(?:selectFrom|insertInto|updateTable|deleteFrom)\(/
const template = /\bsql(?:<[^`]*?>)?`|\bCompiledQuery\b/

test('SQL stands only in stores, SQL fragments and the filter', () => {
  const found = files
    .filter(({ code }) => builder.test(code) || template.test(code))
    .map(({ file }) => file)
    .filter((file) => !/-(store|sql)\.ts$/.test(file))
  expect(found).toEqual([])
})

type Access = { table: keyof Tables; file: string; writes: boolean }

const touches =
  /(?:\b(from|join|update|into|using)\s+|\.(selectFrom|insertInto|updateTable|deleteFrom|innerJoin|leftJoin)\(\s*')([a-z_]+)\b/g
const writing = new Set(['update', 'into', 'insertInto', 'updateTable', 'deleteFrom'])

function accessesOf({ file, code }: { file: string; code: string }): Access[] {
  return [...code.matchAll(touches)].flatMap(({ 1: word = '', 2: method = '', 3: name = '', index }) => {
    if (!(name in tableOwners)) return []
    const isDelete = word === 'from' && /delete\s+$/.test(code.slice(0, index))
    const writes = isDelete || writing.has(word || method)
    return [{ table: name as keyof Tables, file, writes }]
  })
}

const foreign = files
  .flatMap(accessesOf)
  .filter(({ table, file }) => file.split('/')[1] !== tableOwners[table])

test('a table is touched by its owner only, or for a reason that is written down', () => {
  const unexplained = foreign.filter(
    ({ table, file, writes }) =>
      !foreignAccess.some(
        (access) => access.table === table && file.startsWith(access.by) && (access.writes || !writes),
      ),
  )
  expect(unexplained).toEqual([])
})

test('every reason is still needed', () => {
  const unneeded = foreignAccess.filter(
    ({ table, by }) => !foreign.some((access) => access.table === table && access.file.startsWith(by)),
  )
  expect(unneeded).toEqual([])
})
