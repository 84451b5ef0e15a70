import { expect, test } from 'vitest'
import { readTyped } from '../../console/finder/typed.ts'

test('D603: numbers are read as people write them, extensions too; text with letters is no number', () => {
  expect(readTyped(' (48) 99999-8888 ').number).toBe('5548999998888')
  expect(readTyped('+1 212 555 1234').number).toBe('12125551234')
  expect(readTyped('5548999998888').number).toBe('5548999998888')
  expect(readTyped('1001').number).toBe('1001')
  expect([readTyped('1').number, readTyped('Sala 12').number, readTyped('').number]).toEqual([
    undefined,
    undefined,
    undefined,
  ])
})

test('D603: words for calling are no part of what is looked for', () => {
  expect(readTyped('ligar para Carla')).toMatchObject({ text: 'Carla', isCall: true })
  expect(readTyped('Ligar pra 48 3333-4444')).toMatchObject({ number: '554833334444', isCall: true })
  expect(readTyped('call 1001')).toMatchObject({ number: '1001', isCall: true })
  expect(readTyped('Ligares')).toMatchObject({ text: 'Ligares', isCall: false })
})

test('D603: the id of a call is known by its form', () => {
  const id = '0193a2f4-7a3c-7c1e-9d3b-5f1e2a4b6c8d'
  expect(readTyped(id.toUpperCase()).callId).toBe(id)
  expect(readTyped(`${id}0`).callId).toBeUndefined()
})
