import { expect, test } from 'vitest'
import { isUuid, randomBase62, randomPiece, uuidFloor, uuidv7 } from './ids.ts'

test('random bytes are used once, however many pages of them it takes', () => {
  const pieces = Array.from({ length: 2_000 }, () => randomPiece(12).toString('hex'))
  expect(new Set(pieces).size).toBe(pieces.length)
  expect(new Set(pieces.map((piece) => piece.length))).toEqual(new Set([24]))
})

test('random texts have the length that was asked for, letters and digits, and differ', () => {
  const texts = Array.from({ length: 1_000 }, () => randomBase62(24))
  expect(texts.every((text) => /^[0-9A-Za-z]{24}$/.test(text))).toBe(true)
  expect(new Set(texts).size).toBe(texts.length)
})

test('identifiers made at one moment differ, and later ones sort behind them', () => {
  const moment = new Date('2026-09-01T10:00:00.000Z')
  const ids = Array.from({ length: 1_000 }, () => uuidv7(moment))
  expect(ids.every(isUuid)).toBe(true)
  expect(new Set(ids).size).toBe(ids.length)
  const later = uuidv7(new Date(moment.getTime() + 1))
  expect(ids.every((id) => id < later)).toBe(true)
})

test('ids made since a moment are not below the floor of it, older ones are', () => {
  const at = new Date('2026-11-15T12:00:00.000Z')
  const floor = uuidFloor(at)
  for (let n = 0; n < 100; n += 1) {
    expect(uuidv7(at) >= floor).toBe(true)
    expect(uuidv7(new Date(at.getTime() - 1)) < floor).toBe(true)
  }
})
