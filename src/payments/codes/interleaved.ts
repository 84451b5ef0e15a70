/** Interleaved 2 of 5, the bar code of bank slips: pairs of digits, one in the bars and one in the gaps between. */

/** Narrow (1) and wide (3), five for each digit. */
const digits = ['11331', '31113', '13113', '33111', '11313', '31311', '13311', '11133', '31131', '13131']
const start = '1111'
const stop = '311'

/** Widths of bars and gaps in turn, beginning with a bar. */
export function interleavedWidths(code: string): number[] {
  if (!/^(\d\d)+$/.test(code)) throw new RangeError('interleaved 2 of 5 holds pairs of digits')
  const pairs = code.match(/\d\d/g) ?? []
  const middle = pairs.map((pair) => {
    const [bars = '', gaps = ''] = [...pair].map((digit) => digits[Number(digit)])
    return [...bars].map((bar, index) => bar + gaps[index]).join('')
  })
  return [...start, ...middle.join(''), ...stop].map(Number)
}
