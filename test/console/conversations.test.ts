import { expect, test } from 'vitest'
import { conversationsOf } from '../../console/parts/records/conversations.ts'

const call = (id: string, from: string, to: string, transferred_from: string | null = null) => ({
  id,
  from,
  to,
  transferred_from,
})
const shown = (...calls: ReturnType<typeof call>[]) =>
  conversationsOf(calls).map(({ call: { id }, from, to }) => `${id}: ${from} ${to}`)

test('calls without a transfer are conversations of their own', () => {
  expect(shown(call('a', '1000', '5548'), call('b', '5511', '1001'))).toEqual([
    'a: 1000 5548',
    'b: 5511 1001',
  ])
})

test('D641: the new party stands in the place of the extension that left, on either side', () => {
  expect(shown(call('a', '5511', '1001'), call('b', '1001', '1002', 'a'))).toEqual(['a: 5511 1002'])
  expect(shown(call('a', '1001', '5511'), call('b', '1001', '1002', 'a'))).toEqual(['a: 1002 5511'])
  // Two calls that the extension had answered, connected with each other.
  expect(shown(call('a', '5511', '1001'), call('b', '5522', '1001', 'a'))).toEqual(['a: 5511 5522'])
})

test('D641: a call that was transferred twice shows the last party', () => {
  const calls = [call('a', '5511', '1001'), call('b', '1001', '1002', 'a'), call('c', '1002', '1003', 'b')]
  expect(shown(...calls)).toEqual(['a: 5511 1003'])
  expect(shown(...calls.toReversed())).toEqual(['a: 5511 1003'])
})

test('a second call whose first one is not seen stands for itself', () => {
  expect(shown(call('b', '1001', '1002', 'a'))).toEqual(['b: 1001 1002'])
})
