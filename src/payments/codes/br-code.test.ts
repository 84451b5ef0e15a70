import { expect, test } from 'vitest'
import { brCode, checksum } from './br-code.ts'

test('the checksum is CRC-16/CCITT-FALSE', () => {
  expect(checksum('123456789')).toBe('29B1')
})

test("the manual's static example comes out as printed", () => {
  const key = '123e4567-e12b-12d1-a456-426655440000'
  expect(brCode({ key, receiver: 'Fulano de Tal', city: 'BRASILIA' })).toBe(
    '00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-4266554400005204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***63041D3D',
  )
})

test('the checksum of a dynamic code, which other gateways make', () => {
  const url = '2555pix.example.com/qr/93598be0-1bd0-4997-8318-81776a1d8a99'
  const text = `00020101021226770014BR.GOV.BCB.PIX${url}5204000053039865802BR5907EMPRESA6009SAO PAULO62070503***6304`
  expect(checksum(text)).toBe('EEAB')
})

test('an amount has two decimals and a dot; accents go; long names are cut', () => {
  const receiver = 'Padaria São João da Conceição Ltda'
  const code = brCode({ key: 'a@b.example', receiver, city: 'Florianópolis', amount: 1050, txid: 'ABC123' })
  expect(code).toContain('540510.50')
  expect(code).toContain('5925Padaria Sao Joao da Conce')
  expect(code).toContain('6013Florianopolis')
  expect(code).toContain('62100506ABC123')
  expect(checksum(code.slice(0, -4))).toBe(code.slice(-4))
})

test('what does not fit is refused, not cut', () => {
  const key = `${'x'.repeat(80)}@b.example`
  expect(() => brCode({ key, receiver: 'X', city: 'Y' })).toThrow(RangeError)
})
