/** D451: PostgreSQL's programs in the data folder. */
import { cpSync, existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { choosePrograms, removeOtherCopies } from './program-copy.ts'
import { copyName, findPackage, hasPrograms, preparePrograms } from './programs.ts'
import { makeScratch } from './testing/scratch.ts'

const self = { kind: 'self' as const }

function makePackage() {
  const found = findPackage()
  const root = join(makeScratch(), 'package')
  cpSync(join(found.root, 'native'), join(root, 'native'), { recursive: true, verbatimSymlinks: true })
  return { ...found, root }
}

test('the programs are hard links on the same disk, and stay when the package is removed', () => {
  const found = makePackage()
  const dataDir = makeScratch()
  const programs = preparePrograms(found, { initdb: self, server: self }, dataDir)
  expect(programs.postgres.startsWith(dataDir)).toBe(true)
  expect(statSync(programs.postgres).ino).toBe(statSync(join(found.root, 'native/bin/postgres')).ino)
  rmSync(found.root, { recursive: true })
  expect(hasPrograms(programs)).toBe(true)
  rmSync(join(dataDir, copyName(found)), { recursive: true })
  expect(hasPrograms(programs)).toBe(false)
})

test('where a copy in the data folder does not run, the package itself is used', () => {
  const found = makePackage()
  const dataDir = makeScratch()
  const root = choosePrograms({
    source: found.root,
    name: copyName(found),
    dataDir,
    reachable: () => true,
    // As on a disk that is mounted with noexec.
    usable: (folder) => !folder.startsWith(dataDir),
    forOthers: false,
  })
  expect(root).toBe(found.root)
  expect(readdirSync(dataDir)).toEqual([])
})

test('programs of other versions are removed, nothing else', () => {
  const dataDir = makeScratch()
  for (const name of ['postgresql-17.1.0-linux-x64', 'postgresql-18.4.0-linux-x64', 'postgres.log'])
    writeFileSync(join(dataDir, name), '')
  removeOtherCopies(dataDir, 'postgresql-18.4.0-linux-x64')
  expect(readdirSync(dataDir)).toEqual(['postgres.log', 'postgresql-18.4.0-linux-x64'])
  expect(existsSync(join(dataDir, 'postgresql-17.1.0-linux-x64'))).toBe(false)
})
