import { describe, expect, test } from 'vitest'
import { readTaxId } from './tax-id.ts'

describe('a tax id (D38, D39)', () => {
  test.each(['529.982.247-25', '52998224725', '111.444.777-35', ' 111 444 777 35 '])(
    'is the CPF %s',
    (text) => {
      expect(readTaxId(text)).toEqual({ id: text.replace(/\D/g, ''), person: 'FISICA' })
    },
  )

  test.each([
    '12.ABC.345/01DE-35',
    '12abc34501de35',
    '6A3EDMWP000168',
    'D7YDDI5H000162',
    'Q2GROWP7000185',
    '00.000.000/0001-91',
    '11.222.333/0001-81',
  ])('is the CNPJ %s', (text) => {
    expect(readTaxId(text)).toEqual({ id: text.replace(/[./-]/g, '').toUpperCase(), person: 'JURIDICA' })
  })

  test.each([
    '',
    '0',
    '529.982.247-26',
    '52998224752',
    '11111111111',
    '00000000000000',
    '00000000000',
    '12.ABC.345/01DE-36',
    '12ABC34501D35',
    '12ABC34501DEA5',
    '11.222.333/0001-82',
    '5299822472５',
    '5'.repeat(10_000),
    '529982247255',
    'ÁBCDEFGHIJKL00',
  ])('is not %j', (text) => {
    expect(readTaxId(text)).toBeUndefined()
  })
})
