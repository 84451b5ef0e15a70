import { expect, test } from 'vitest'
import { createCodecChoice } from './codec-choice.ts'

const phones = ['opus', 'G722', 'PCMA', 'PCMU'] as const

test('D274: a phone is offered the codecs of its peer first, then G.711, then what has to be converted', () => {
  const choice = createCodecChoice(phones)
  choice.noteOffered('extension', ['G722', 'PCMU'])
  expect(choice.offeredTo('other')).toEqual(['G722', 'PCMU', 'PCMA', 'opus'])
})

test('D274: while nothing is known of its peer, what is expected of it comes first, or else the order of the operator', () => {
  const choice = createCodecChoice(phones)
  expect(choice.offeredTo('extension', ['PCMU'])).toEqual(['PCMU', 'PCMA', 'opus', 'G722'])
  expect(choice.offeredTo('extension')).toEqual([...phones])
})

test('a carrier is offered the codecs of its trunk only', () => {
  const choice = createCodecChoice(phones)
  choice.limit('other', ['PCMA', 'G722'])
  choice.choose('extension', 'opus')
  expect(choice.offeredTo('other')).toEqual(['PCMA', 'G722'])
  choice.choose('extension', 'G722')
  expect(choice.offeredTo('other')).toEqual(['G722', 'PCMA'])
})

test('a later offer keeps the codec of the side', () => {
  const choice = createCodecChoice(phones)
  choice.choose('extension', 'PCMU')
  choice.choose('other', 'G722')
  expect(choice.offeredTo('extension')[0]).toBe('PCMU')
  choice.forget('extension')
  expect(choice.offeredTo('extension')[0]).toBe('G722')
})

test('D274: an answer has the codec of the peer, or else one of G.711, or else any that is allowed', () => {
  const choice = createCodecChoice(phones)
  choice.choose('other', 'opus')
  expect(choice.answeredTo('extension')).toEqual([['opus'], ['PCMA', 'PCMU'], [...phones]])
  choice.limit('extension', ['PCMA'])
  expect(choice.answeredTo('extension')).toEqual([[], ['PCMA'], ['PCMA']])
})
