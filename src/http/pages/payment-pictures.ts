/** Codes drawn, so that a phone's camera or a bank's scanner can read them: black on white, with quiet margins. */
import { interleavedWidths } from '../../payments/codes/interleaved.ts'
import { escapeHtml } from './html.ts'

/** Loaded with the first picture: most processes draw none. */
const load = async () => (await import('qrcode')).default

/** Quiet zones, in the width of the smallest dark part. */
const qrMargin = 4
const barMargin = 10
const pngWidth = 480
/** A slip's bars are 13 mm high and 103 mm wide: about one to eight. */
const barHeight = 50

/** D152: a file of its own, to be shown by other programs. */
export async function qrImage(text: string, format: 'png' | 'svg'): Promise<Buffer | string> {
  const options = { errorCorrectionLevel: 'M', margin: qrMargin } as const
  if (format === 'svg') return await (await load()).toString(text, { ...options, type: 'svg' })
  return await (await load()).toBuffer(text, { ...options, type: 'png', width: pngWidth })
}

export async function qrPicture(text: string, label: string): Promise<string> {
  const { modules } = (await load()).create(text, { errorCorrectionLevel: 'M' })
  const side = modules.size + 2 * qrMargin
  let path = ''
  for (let at = 0; at < modules.data.length; at++) {
    if (!modules.data[at]) continue
    path += `M${(at % modules.size) + qrMargin} ${Math.floor(at / modules.size) + qrMargin}h1v1h-1z`
  }
  return picture('qr', label, side, side, path)
}

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
