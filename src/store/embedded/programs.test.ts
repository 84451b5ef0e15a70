import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, lstatSync, mkdirSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { canExecute } from './file-access.ts'
import { findPackage, linkLibraries, preparePrograms } from './programs.ts'
import { isRoot, makeScratch } from './testing/scratch.ts'

function makePackage(files: string[], links: { source: string; target: string }[]): string {
  const root = makeScratch()
  for (const file of ['native/pg-symlinks.json', ...files]) {
    mkdirSync(dirname(join(root, file)), { recursive: true })
    writeFileSync(join(root, file), file.endsWith('.json') ? JSON.stringify(links) : '')
  }
  return root
}

const long = { source: 'native/lib/libpq.so.5.18', target: 'native/lib/libpq.so.5' }
const short = { source: 'native/lib/libpq.so.5.18', target: 'native/lib/libpq.so' }

test('makes the links that are missing and keeps those that are there', () => {
  const root = makePackage([long.source], [long, short])
  symlinkSync('libpq.so.5.18', join(root, short.target))
  expect(linkLibraries(root)).toBe(true)
  expect(readlinkSync(join(root, long.target))).toBe('libpq.so.5.18')
  expect(linkLibraries(root)).toBe(true)
})

test('says when a link cannot be made', () => {
  const root = makePackage([], [{ source: 'native/lib/x.so.1', target: 'native/nowhere/x.so' }])
  expect(linkLibraries(root)).toBe(false)
})

// Root writes everywhere and others own what they install, so each has its own way to fail in place.
test('copies programs that cannot be used where they are, once', () => {
  const found = findPackage()
  const home = makeScratch({ mode: 0o700 })
  const root = join(home, 'package')
  cpSync(join(found.root, 'native'), join(root, 'native'), {
    recursive: true,
    filter: (path) => !lstatSync(path).isSymbolicLink(),
  })
  if (!isRoot) chmodSync(join(root, 'native/lib'), 0o555)
  const other = { kind: 'account' as const, uid: 15432, gid: 15432 }
  const runAs = isRoot ? other : { kind: 'self' as const }
  const dataDir = makeScratch()

  const prepare = () => preparePrograms({ ...found, root }, { initdb: runAs, server: runAs }, dataDir)
  const { postgres } = prepare()
  if (!isRoot) chmodSync(join(root, 'native/lib'), 0o755)
  expect(postgres.startsWith(dataDir)).toBe(true)
  if (isRoot) expect(canExecute(postgres, other)).toBe(true)
  const { stdout } = spawnSync(postgres, ['--version'], { encoding: 'utf8', ...(isRoot ? other : {}) })
  expect(stdout).toContain(`PostgreSQL) ${found.major}.`)

  const made = lstatSync(postgres).ino
  expect(lstatSync(prepare().postgres).ino).toBe(
    isRoot ? made : lstatSync(join(root, 'native/bin/postgres')).ino,
  )
})
