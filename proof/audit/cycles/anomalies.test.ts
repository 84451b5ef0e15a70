import { expect, test } from 'vitest'
import { findAnomalies, type Operation, type Transaction } from './anomalies.ts'

/** Hand-made histories, named after the cases of Hermitage. `+x1` appends 1 to x, `x12` reads 1, 2 from x. */
function history(...lines: string[]): Transaction[] {
  return lines.map((line) => {
    const [name = '', ...words] = line.split(' ')
    const isAborted = words.includes('aborted')
    const session = words.find((word) => word.startsWith('@'))
    const operations = words.filter((word) => /^\+?[xy]\d*$/.test(word)).map(toOperation)
    return {
      name,
      operations,
      ...(session !== undefined && { session }),
      ...(isAborted && { isAborted }),
    }
  })
}

function toOperation(word: string): Operation {
  const [first = '', ...rest] = word
  return first === '+'
    ? { append: rest[0] ?? '', value: rest.slice(1).join('') }
    : { read: first, values: rest }
}

const namesOf = (...lines: string[]) => findAnomalies(history(...lines)).map(({ name }) => name)

test('transactions one after the other have no anomaly', () => {
  expect(namesOf('T1 +x1 +y1', 'T2 x1 +x2 +y2', 'T3 x12 y12')).toEqual([])
})

test('G0: two transactions whose writes are ordered differently in two lists', () => {
  expect(namesOf('T1 +x1 +y1', 'T2 +x2 +y2', 'R x12', 'S y21')).toContain('G0')
})

test('G1a: a read of what was rolled back', () => {
  expect(namesOf('T1 +x1 aborted', 'T2 x1')).toEqual(['G1a'])
})

test('G1b: a read in the middle of a transaction', () => {
  expect(namesOf('T1 +x1 +x2', 'T2 x1', 'T3 x12')).toContain('G1b')
})

test('G1c: two transactions that read what the other wrote', () => {
  expect(namesOf('T1 +x1 y1', 'T2 +y1 x1')).toEqual(['G1c'])
})

test('OTV: a transaction that was observed vanishes from the next list', () => {
  expect(namesOf('T1 +x1 +y1', 'T2 +x2 +y2', 'T3 x12 y1', 'T4 y12')).toContain('G-single')
})

test('P4: a lost update, two transactions that read the same and both append', () => {
  expect(namesOf('T1 x +x1', 'T2 x +x2', 'R x12')).toEqual(['G-single'])
})

test('G-single: read skew, one list read before and the other after a transaction', () => {
  expect(namesOf('T1 x y1', 'T2 +x1 +y1', 'R x1')).toEqual(['G-single'])
})

test('G2-item: write skew, each reads what the other appends to', () => {
  expect(namesOf('T1 x +y1', 'T2 y +x1', 'R x1', 'S y1')).toEqual(['G2-item'])
})

test('D551: a client that saw a transaction in one list misses it later in the other', () => {
  expect(namesOf('T1 +x1 +y1', 'A x1 @ana', 'B y @ana', 'C y1')).toEqual(['G-single'])
})

test('a client that looks before and after a transaction has no anomaly', () => {
  expect(namesOf('T1 +x1 +y1', 'A x @ana', 'B y1 @ana', 'C x1 @ana')).toEqual([])
})

test('two reads that disagree about the order of a list', () => {
  expect(namesOf('T1 +x1', 'T2 +x2', 'R x12', 'S x2')).toContain('incompatible order')
})

test('a value that is in a list twice', () => {
  expect(namesOf('T1 +x1', 'R x11')).toContain('appended twice')
})

test('an append that is never read is after every read', () => {
  expect(namesOf('T1 +x1 +y1', 'A y1 @ana', 'B x @ana')).toEqual(['G-single'])
})
