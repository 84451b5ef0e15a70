/** D598: what an import does with each line. */
import { expect, test } from 'vitest'
import type { Contact } from '../contact.ts'
import { readContactFile } from './contact-file.ts'
import { planImport } from './import-plan.ts'

const at = new Date(0)
const known = (id: string, name: string, numbers: string[]): Contact => ({
  id,
  name,
  company: '',
  numbers,
  createdAt: at,
  updatedAt: at,
})

test('commas, semicolons and tabs, a byte order mark, quotes and several numbers in a cell are read', () => {
  const expected = [{ line: 2, name: 'Dias, Carla', company: '', numbers: ['554833334444', '5548999998888'] }]
  for (const text of [
    '\uFEFFname,phone\n"Dias, Carla","4833334444; 48 99999-8888"',
    'Nome;Telefone;Celular\r\nDias, Carla;(48) 3333-4444;48 99999-8888\r\n',
    'nome\tnúmeros\nDias, Carla\t4833334444 / 48999998888\n\n',
  ]) {
    expect(readContactFile(text)).toEqual(expected)
  }
})

test('a line whose numbers belong to two contacts is refused with the name of the second', () => {
  const file = readContactFile('name,phone,phone 2\nX,4833334444,4833335555')
  const contacts = [known('1', 'Ana', ['554833334444']), known('2', 'Bia', ['554833335555'])]
  expect(planImport(file, contacts)).toMatchObject({
    lines: [{ action: 'refuse', problem: 'numbers-of-two-contacts', value: 'Bia' }],
    creates: [],
    updates: [],
  })
})

test('of two lines about one contact the first counts', () => {
  const file = readContactFile('name,phone\nA,4833334444\nB,4833335555')
  const plan = planImport(file, [known('1', 'Ana', ['554833334444', '554833335555'])])
  expect(plan.lines.map(({ action, problem }) => [action, problem])).toEqual([
    ['update', undefined],
    ['refuse', 'repeated-number'],
  ])
  expect(plan.updates).toEqual([
    { id: '1', name: 'A', company: '', numbers: ['554833334444', '554833335555'] },
  ])
})

test('a contact gets no more than ten numbers, and a name no more than 120 characters', () => {
  const many = Array.from({ length: 10 }, (_, n) => `55483333444${n}`)
  const file = readContactFile(`name,phone\nA,554833334440 / 554833335555\n${'x'.repeat(121)},554833336666`)
  expect(planImport(file, [known('1', 'Ana', many)]).lines).toMatchObject([
    { action: 'refuse', problem: 'too-many-numbers' },
    { action: 'refuse', problem: 'name-too-long' },
  ])
})
