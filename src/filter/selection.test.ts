import { describe, expect, test } from 'vitest'
import { pickFields, readSelection } from './selection.ts'

const row = { id: 1, name: 'Ana', senha: 'x' }
const list = { shows: ['id', 'name', 'senha'], showsIfNamed: ['note'] }
const pick = (raw: unknown) => pickFields(readSelection(list, raw, 'filter.fields'), { ...row, note: 'y' })

describe('fields', () => {
  test('named in an array are the only ones shown', () => {
    expect(pick(['id', 'senha'])).toEqual({ id: 1, senha: 'x' })
  })

  test('switched on are the only ones shown, whatever is switched off', () => {
    expect(pick({ id: true })).toEqual({ id: 1 })
    expect(pick({ id: true, name: false })).toEqual({ id: 1 })
    expect(pick({ id: 'true' })).toEqual({ id: 1 })
  })

  test('switched off are left out', () => {
    expect(pick({ senha: false })).toEqual({ id: 1, name: 'Ana' })
  })

  test('not named at all are all shown', () => {
    expect(readSelection(list, [], 'filter.fields')).toBeUndefined()
    expect(readSelection(list, {}, 'filter.fields')).toBeUndefined()
    expect(pickFields(undefined, row)).toEqual(row)
  })

  test('that are shown only if named are shown then, and not where others are left out', () => {
    expect(pick(['id', 'note'])).toEqual({ id: 1, note: 'y' })
    expect(pick({ note: true })).toEqual({ note: 'y' })
    expect(pick({ senha: false })).toEqual({ id: 1, name: 'Ana' })
    expect(pick({ note: false })).toEqual(row)
  })

  test.each([
    [['nope'], 'filter.fields.nope: is not a known field'],
    [['__proto__'], 'filter.fields.__proto__: is not a known field'],
    [{ toString: true }, 'filter.fields.toString: is not a known field'],
    [['id', 'id'], 'filter.fields.id: is named twice'],
    [[1], 'filter.fields[0]: must be the name of a field'],
    [{ id: 1 }, 'filter.fields.id: must be true or false'],
    ['id', 'filter.fields: must be an array of names or an object of booleans'],
    [null, 'filter.fields: must be an array of names or an object of booleans'],
  ])('%j are refused', (raw, message) => {
    expect(() => pick(raw)).toThrow(message)
  })
})
