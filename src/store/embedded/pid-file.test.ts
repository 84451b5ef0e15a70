import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { disownPidFiles, findServer } from './pid-file.ts'
import { makeScratch } from './testing/scratch.ts'

test('an empty pid file is removed, one of a dead process is left to PostgreSQL', async () => {
  const cluster = makeScratch()
  const path = join(cluster, 'postmaster.pid')
  writeFileSync(path, '')
  disownPidFiles(cluster)
  expect(() => statSync(path)).toThrow('ENOENT')

  const brief = spawn('true')
  await once(brief, 'exit')
  const text = `${brief.pid}\n${cluster}\n1\n5432\n.\n\n 1 2\nready\n`
  writeFileSync(path, text)
  disownPidFiles(cluster)
  expect(readFileSync(path, 'utf8')).toBe(text)
  expect(findServer(cluster)).toBeUndefined()
})
