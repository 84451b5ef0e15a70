import { describe, expect, test } from 'vitest'
import { describeProblem, type StoredRate } from './rate-changes.ts'
import { readSheet, writeSheet } from './rate-sheet.ts'

const header = 'domain,prefix,name,minute_price,first_block,step,grace,valid_from,valid_until'
const line = (change: Record<string, string> = {}) => {
  const cells: Record<string, string> = { prefix: '55', minute_price: '0.1', ...change }
  return `${header}\n${header.split(',').map((name) => cells[name] ?? '')}`
}
const rateOf = (change?: Record<string, string>) => readSheet(line(change)).rates[0]
const problemOf = (change: Record<string, string>) =>
  readSheet(line(change)).problems.map((one) => describeProblem(one, 'en'))[0]

const stored: StoredRate = {
  id: 7,
  accountId: null,
  domain: '',
  prefix: '55489',
  name: 'Mobile; Brazil',
  minutePrice: 1234,
  firstBlock: 60,
  step: 1,
  grace: 0,
  from: new Date('2026-01-01T03:00:00Z'),
  until: new Date('2027-01-01T03:00:00Z'),
}

describe('a line of a sheet', () => {
  test('without a name, blocks and times is named by its prefix, has the usual blocks and begins now', () => {
    expect(rateOf()).toEqual({
      domain: '',
      prefix: '55',
      name: '55',
      minutePrice: 1000,
      firstBlock: 30,
      step: 6,
      grace: 3,
      from: undefined,
      until: undefined,
      line: 2,
    })
  })

  test('has its own name, blocks and times where they are given; a domain is in lower case', () => {
    const change = { domain: 'Shop.Example', name: 'Fixed', first_block: '60', step: '1', grace: '0' }
    const times = { valid_from: '2026-12-01T00:00:00-03:00', valid_until: '2027-01-01T12:30Z' }
    expect(rateOf({ ...change, ...times })).toMatchObject({
      domain: 'shop.example',
      name: 'Fixed',
      firstBlock: 60,
      step: 1,
      grace: 0,
      from: new Date('2026-12-01T03:00:00Z'),
      until: new Date('2027-01-01T12:30:00Z'),
    })
  })

  test.each([
    ['prefix', '1', 'prefix must be 1 to 15 digits', ''],
    ['prefix', '1'.repeat(15), 'prefix must be 1 to 15 digits', '1'.repeat(16)],
    ['prefix', '55', 'prefix must be 1 to 15 digits', '55x'],
    ['prefix', '55', 'prefix must be 1 to 15 digits', '+55'],
    ['name', 'x'.repeat(100), 'name must not be longer', 'x'.repeat(101)],
    ['minute_price', '0', 'minute_price must be', '-0.0001'],
    ['minute_price', '1000', 'minute_price must be', '1000.0001'],
    ['step', '1', 'must be whole seconds', '0'],
    ['grace', '0', 'must be whole seconds', '-1'],
    ['grace', '3600', 'must be whole seconds', '3601'],
    ['grace', '30', 'must be whole seconds', '30s'],
    ['grace', '30', 'must be whole seconds', 's30'],
    ['first_block', '3600', 'must be whole seconds', '3606'],
    ['first_block', '6', 'must be whole seconds', '0'],
    ['first_block', '36', 'must be a multiple of step', '37'],
    ['valid_from', '2026-12-01T00:00Z', 'must be ISO 8601', '2026-12-01T00:00'],
    ['valid_from', '2026-12-01T00:00:00Z', 'must be ISO 8601', '2026-12-01T00:00:0Z'],
    ['valid_from', '2026-12-01T00:00:00.5Z', 'must be ISO 8601', '2026-12-01T00:00:00.Z'],
    ['valid_from', '2026-12-01T00:00:00.123Z', 'must be ISO 8601', '2026-12-01T00:00:00.1234Z'],
    ['valid_from', '2026-12-01T00:00:00+05:30', 'must be ISO 8601', '2026-12-01T00:00:00+5:30'],
    ['valid_until', '2026-12-31T00:00:00Z', 'must be ISO 8601', '2026-13-31T00:00:00Z'],
    ['valid_until', '2026-12-31T00:00:00Z', 'must be ISO 8601', ' on 2026-12-31T00:00:00Z'],
    ['valid_until', '2026-12-31T00:00:00Z', 'must be ISO 8601', '2026-12-31T00:00:00Z or so'],
  ])('may have the %s %s; %s: %j', (column, good, problem, bad) => {
    expect(readSheet(line({ [column]: good })).problems).toEqual([])
    expect(problemOf({ [column]: bad })).toContain(problem)
  })

  test('that is empty is passed over, and the others keep their numbers', () => {
    const { rates, problems } = readSheet('prefix,minute_price\n , \n55,0.1\n\nx,1')
    expect([rates.map((rate) => rate.line), problems.map((one) => one.line)]).toEqual([[3], [5]])
  })

  test('that is shorter than the header has empty cells, and spaces around cells do not count', () => {
    const { rates } = readSheet(' Prefix , MINUTE_PRICE ,name\n 55 , 0.1 ')
    expect(rates).toMatchObject([{ prefix: '55', minutePrice: 1000, name: '55' }])
  })
})

describe('the header of a sheet', () => {
  test('names all its mistakes, and then no line is read', () => {
    const { rates, problems } = readSheet('prefix,price,cost\n55,1,1')
    expect(rates).toEqual([])
    expect(problems.map((one) => describeProblem(one, 'pt'))).toEqual([
      expect.stringContaining('linha 1: não existe a coluna "price"; use domain,prefix,name'),
      expect.stringContaining('linha 1: não existe a coluna "cost"'),
      'linha 1: falta a coluna minute_price',
    ])
  })
})

describe('prices', () => {
  test('have a decimal comma only where something else separates cells', () => {
    expect(readSheet('prefix;minute_price\n55;0,1').rates).toMatchObject([{ minutePrice: 1000 }])
    expect(readSheet('prefix,minute_price\n55,"0,1"').problems).toHaveLength(1)
  })
})

describe('a sheet that is written', () => {
  test('has a header and a line for each rate, with commas and dots', () => {
    expect(writeSheet([stored])).toBe(
      `${header}\n,55489,Mobile; Brazil,0.1234,60,1,0,2026-01-01T03:00:00.000Z,2027-01-01T03:00:00.000Z\n`,
    )
  })

  test('for Excel in Brazil has semicolons and decimal commas, and quotes cells that have either', () => {
    expect(writeSheet([{ ...stored, until: null }], ';')).toBe(
      `${header.replaceAll(',', ';')}\n;55489;"Mobile; Brazil";"0,1234";60;1;0;2026-01-01T03:00:00.000Z;\n`,
    )
  })
})
