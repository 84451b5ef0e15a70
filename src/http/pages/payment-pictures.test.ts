import jsqr from 'jsqr'
import { expect, test } from 'vitest'
import { brCode } from '../../payments/codes/br-code.ts'
import { interleavedWidths } from '../../payments/codes/interleaved.ts'
import { barPicture, qrPicture } from './payment-pictures.ts'

/** Rectangles of the dark path. */
function darkParts(svg: string) {
  const path = /<path d="([^"]+)"/.exec(svg)?.[1] ?? ''
  return [...path.matchAll(/M(\d+) (\d+)h(\d+)v(\d+)h-\d+z/g)].map((found) => found.slice(1).map(Number))
}

test('a camera reads the PIX code from the picture', async () => {
  const key = '5a4d7b0e-0000-4000-8000-72616d616c00'
  const code = brCode({
    key,
    receiver: 'RAMAL SANDBOX',
    city: 'SAO PAULO',
    amount: 4_999_999,
    txid: 'A'.repeat(25),
  })
  const svg = await qrPicture(code, 'QR "Code"')
  const side = Number(/viewBox="0 0 (\d+)/.exec(svg)?.[1])
  const scale = 4
  const pixels = new Uint8ClampedArray((side * scale) ** 2 * 4).fill(255)
  for (const [x = 0, y = 0] of darkParts(svg)) {
    for (let dy = 0; dy < scale; dy++) {
      for (let dx = 0; dx < scale; dx++) {
        const at = ((y * scale + dy) * side * scale + x * scale + dx) * 4
        pixels.fill(0, at, at + 3)
      }
    }
  }
  const seen = (jsqr as unknown as typeof jsqr.default)(pixels, side * scale, side * scale)
  expect(seen?.data).toBe(code)
  expect(svg).toContain('aria-label="QR &#34;Code&#34;"')
})

test('the bars are as wide as they must be, with quiet before and after', () => {
  const code = '46191163700000123451234567890123456789012345'
  const bars = darkParts(barPicture(code, 'Boleto'))
  const widths = interleavedWidths(code)
  expect(bars.map(([, , width]) => width)).toEqual(widths.filter((_, index) => index % 2 === 0))
  expect(bars[0]?.[0]).toBe(10)
  const gaps = bars.slice(1).map(([x = 0], index) => x - (bars[index]?.[0] ?? 0) - (bars[index]?.[2] ?? 0))
  expect(gaps).toEqual(widths.filter((_, index) => index % 2 === 1))
})
