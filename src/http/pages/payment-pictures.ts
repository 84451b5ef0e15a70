/** Codes drawn, so that a phone's camera or a bank's scanner can read them: black on white, with quiet margins. */
import { encode } from 'uqr'
import { interleavedWidths } from '../../payments/codes/interleaved.ts'
import { escapeHtml } from './html.ts'
import { encodePng } from './qr-png.ts'

/** Quiet zones, in the width of the smallest dark part. */
const qrMargin = 4
const barMargin = 10
const pngWidth = 480
/** A slip's bars are 13 mm high and 103 mm wide: about one to eight. */
const barHeight = 50

/** Rows of the code with its margins; true is dark. */
const qrRows = (text: string) => encode(text, { ecc: 'M', border: qrMargin }).data

/** D152: a file of its own, to be shown by other programs. */
export function qrImage(text: string, format: 'png' | 'svg'): Buffer | string {
  const rows = qrRows(text)
  if (format === 'png') return encodePng(rows, pngWidth)
  const path = pathOf(rows)
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${rows.length} ${rows.length}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${rows.length}v${rows.length}H0z"/><path d="${path}"/></svg>`
}

export function qrPicture(text: string, label: string): string {
  const rows = qrRows(text)
  return picture('qr', label, rows.length, rows.length, pathOf(rows))
}

const pathOf = (rows: boolean[][]) =>
  rows.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : []))).join('')

export function barPicture(digits: string, label: string): string {
  let [path, x] = ['', barMargin]
  for (const [index, width] of interleavedWidths(digits).entries()) {
    if (index % 2 === 0) path += `M${x} 0h${width}v${barHeight}h-${width}z`
    x += width
  }
  return picture('bars', label, x + barMargin, barHeight, path)
}

function picture(name: string, label: string, width: number, height: number, path: string): string {
  return `<svg class="${name}" role="img" aria-label="${escapeHtml(label)}" viewBox="0 0 ${width} ${height}" shape-rendering="crispEdges" preserveAspectRatio="${name === 'bars' ? 'none' : 'xMidYMid'}"><path fill="#fff" d="M0 0h${width}v${height}H0z"/><path d="${path}"/></svg>`
}
