import { expect, test } from 'vitest'
import { commentsOf, translateComments } from './sample-comments.ts'

test.each([
  ['a line comment', '  // One', '  // Um'],
  ['a comment behind code', 'call() // One', 'call() // Um'],
  ['a comment of the shell', '# One', '# Um'],
  ['a docstring', '    """One"""', '    """Um"""'],
  ['a block comment', '/** One */', '/** Um */'],
  ['a line of a block comment', '/**\n * One\n */', '/**\n * Um\n */'],
  ['a comment of HTML', '<!-- One -->', '<!-- Um -->'],
])('%s is translated', (_what, code, expected) => {
  expect(commentsOf(code)).toEqual(['One'])
  expect(translateComments(code, { One: 'Um' })).toBe(expected)
})

test.each(['#!/bin/sh', "fetch('http://localhost')", '[ $# -gt 1 ]', 'const area = width * height', ' */'])(
  '%s is code',
  (code) => expect(commentsOf(code)).toEqual([]),
)

test('a comment without a translation stays as it is', () => {
  expect(translateComments('# One\n# Two', { One: 'Um' })).toBe('# Um\n# Two')
})
