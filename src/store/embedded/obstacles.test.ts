import { expect, test } from 'vitest'
import { explain } from './obstacles.ts'

test.each([
  [Object.assign(new Error('ENOSPC: no space left'), { code: 'ENOSPC' }), /The disk that holds \/d is full/],
  [new Error('initdb: could not write: No space left on device'), /The disk that holds \/d is full/],
  [Object.assign(new Error('EROFS: read-only'), { code: 'EROFS', syscall: 'mkdir' }), /\/d is closed to uid/],
  [Object.assign(new Error('spawn x ENOENT'), { code: 'ENOENT', syscall: 'spawn x' }), /do not run on this/],
])('%s becomes a sentence that names DATABASE_URL', (error, sentence) => {
  const explained = explain(error, '/d')
  expect(explained).toMatchObject({ message: expect.stringMatching(sentence), cause: error })
  expect(explained).toMatchObject({ message: expect.stringContaining('DATABASE_URL') })
})

test('an error nobody foresaw passes unchanged', () => {
  const error = new Error('surprise')
  expect(explain(error, '/d')).toBe(error)
})
