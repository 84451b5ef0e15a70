import { expect, test } from 'vitest'
import { writeLike } from './pattern.ts'

test.each([
  ['a%', 'a%', 'a wildcard anchors the pattern'],
  ['_', '_', 'one character'],
  ['ana', '%ana%', 'without a wildcard it matches anywhere'],
  ['', '%%', 'nothing is anywhere'],
  ['50\\%', '%50\\%%', 'an escaped wildcard is none'],
  ['\\a', '%a%', 'an escape before a plain character is dropped'],
  ['a\\\\', '%a\\\\%', 'an escaped backslash is a backslash'],
  ['a\\', '%a\\\\%', 'a last, lone backslash is a backslash'],
  ['%\\', '%\\\\', 'also after a wildcard'],
  ['\\😀', '%😀%', 'an escape takes a whole character'],
])('%j is written %j: %s', (pattern, written) => {
  expect(writeLike(pattern)).toBe(written)
})
