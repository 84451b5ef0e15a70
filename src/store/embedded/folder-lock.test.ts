import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tryLock } from './folder-lock.ts'
import { makeScratch } from './testing/scratch.ts'

test('one holder at a time, and nothing but an empty file', () => {
  const folder = makeScratch()
  const path = join(folder, 'lock')
  const first = tryLock(path)
  expect(first).toBeDefined()
  expect(tryLock(path)).toBeUndefined()
  expect(readdirSync(folder)).toEqual(['lock'])

  first?.release()
  const second = tryLock(path)
  expect(second).toBeDefined()
  // A holder that releases twice does not take the lock from the next one.
  first?.release()
  expect(tryLock(path)).toBeUndefined()
  second?.release()
})
