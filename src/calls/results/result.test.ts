import { expect, test } from 'vitest'
import { Refusal } from '../../contract/errors.ts'
import { readOutcomes, suggestedOutcomes } from './outcome.ts'
import { applyPatch, isSameResult, noResult } from './result.ts'

function problemsOf(run: () => unknown): Record<string, string[]> {
  try {
    run()
  } catch (error) {
    const details = error instanceof Refusal ? error.details?.en : undefined
    if (details && 'codes' in details) return details.codes
    throw error
  }
  return {}
}

const offered = ['sale', 'call_back']

test('what a patch does not name stays', () => {
  const before = { outcome: 'sale', tags: ['vip'], notes: 'Friday' }
  expect(applyPatch(before, {}, offered)).toEqual(before)
  expect(applyPatch(before, { outcome: null }, offered)).toEqual({ ...before, outcome: null })
  expect(applyPatch(before, { notes: ' Monday\n' }, offered)).toEqual({ ...before, notes: 'Monday' })
})

test('tags are kept in lower case, without spaces around them, sorted and once', () => {
  const { tags } = applyPatch(noResult, { tags: ['VIP', ' promo ', 'vip', 'Ação'] }, offered)
  expect(tags).toEqual(['ação', 'promo', 'vip'])
})

test('an outcome that the account does not offer is refused, unless the call has it already', () => {
  expect(problemsOf(() => applyPatch(noResult, { outcome: 'lost' }, offered))).toEqual({
    outcome: ['inclusion'],
  })
  const old = { ...noResult, outcome: 'lost' }
  expect(applyPatch(old, { outcome: 'lost', notes: 'x' }, offered)).toMatchObject({ outcome: 'lost' })
})

test('blank tags and tags of two lines are refused', () => {
  expect(problemsOf(() => applyPatch(noResult, { tags: ['a', ' '] }, offered))).toEqual({
    tags: ['presence'],
  })
  expect(problemsOf(() => applyPatch(noResult, { tags: ['a\nb'] }, offered))).toEqual({ tags: ['format'] })
})

test('results are the same whatever was typed for them', () => {
  const one = applyPatch(noResult, { tags: ['b', 'a'], notes: 'x ' }, offered)
  expect(isSameResult(one, applyPatch(noResult, { tags: ['A', 'B'], notes: 'x' }, offered))).toBe(true)
  expect(isSameResult(one, { ...one, tags: ['a'] })).toBe(false)
})

test('keys and labels of outcomes are there once, and labels are one line', () => {
  const sale = { key: 'sale', label: 'Sale' }
  expect(readOutcomes([{ key: 'sale', label: ' Sale ' }])).toEqual([sale])
  expect(problemsOf(() => readOutcomes([sale, { key: 'sale', label: 'Other' }]))).toEqual({
    'outcomes.1.key': ['uniqueness'],
  })
  expect(problemsOf(() => readOutcomes([sale, { key: 'b', label: 'SALE' }]))).toEqual({
    'outcomes.1.label': ['uniqueness'],
  })
  expect(problemsOf(() => readOutcomes([{ key: 'b', label: ' ' }]))).toEqual({
    'outcomes.0.label': ['presence'],
  })
  expect(problemsOf(() => readOutcomes([{ key: 'b', label: 'a\nb' }]))).toEqual({
    'outcomes.0.label': ['format'],
  })
})

test('the suggested outcomes are valid, and have the same keys in every language', () => {
  const [en, pt] = [suggestedOutcomes('en'), suggestedOutcomes('pt')]
  expect(readOutcomes(en)).toEqual(en)
  expect(readOutcomes(pt).map(({ key }) => key)).toEqual(en.map(({ key }) => key))
})
