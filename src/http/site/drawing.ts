/** Draws boxes and arrows as SVG: colours come from the style of the page, so that a drawing fits both themes. */
import type { Language, Translated } from '../../kit/text/language.ts'
import { escapeHtml } from '../pages/html.ts'

type Point = readonly [x: number, y: number]

type Box = {
  at: Point
  size: Point
  text: Translated<string> | string
  /** In small letters below the text. */
  more?: Translated<string>
  kind?: 'good' | 'bad' | 'store' | 'outside'
}

type Arrow = {
  /** Corners of the line; the arrow is at the last one. */
  along: readonly Point[]
  text?: Translated<string>
  /** Where its text begins. */
  textAt?: Point
}

export type Drawing = { size: Point; title: Translated<string>; boxes: Box[]; arrows: Arrow[] }

const inLanguage = (text: Translated<string> | string, language: Language) =>
  escapeHtml(typeof text === 'string' ? text : text[language])

/** `isAlone`: as a file of its own, with colours of its own. */
export function draw({ size, title, boxes, arrows }: Drawing, language: Language, isAlone = false): string {
  const [width, height] = size
  const style = isAlone ? `<style>${styleAlone}</style>` : ''
  const parts = [
    ...arrows.map((arrow) => arrowSvg(arrow, language)),
    ...boxes.map((box) => boxSvg(box, language)),
  ]
  return `<svg xmlns="http://www.w3.org/2000/svg" class="drawing" viewBox="0 0 ${width} ${height}" role="img" aria-label="${inLanguage(title, language)}">${style}${parts.join('')}</svg>`
}

function boxSvg({ at: [x, y], size: [width, height], text, more, kind }: Box, language: Language): string {
  const middle = x + width / 2
  const center = y + height / 2
  const small =
    more === undefined
      ? ''
      : `<text class="more" x="${middle}" y="${center + 14}">${inLanguage(more, language)}</text>`
  const up = more === undefined ? 5 : -2
  return `<g class="box ${kind ?? ''}"><rect x="${x}" y="${y}" width="${width}" height="${height}" rx="8"/><text x="${middle}" y="${center + up}">${inLanguage(text, language)}</text>${small}</g>`
}

function arrowSvg({ along, text, textAt }: Arrow, language: Language): string {
  const points = along.map(([x, y]) => `${x},${y}`).join(' ')
  const said =
    text === undefined || textAt === undefined
      ? ''
      : `<text class="said" x="${textAt[0]}" y="${textAt[1]}">${inLanguage(text, language)}</text>`
  return `<polyline class="arrow" points="${points}"/>${headSvg(along)}${said}`
}

/** A triangle at the end of the line, in its direction. */
function headSvg(along: readonly Point[]): string {
  const [toX, toY] = along.at(-1) ?? [0, 0]
  const [fromX, fromY] = along.at(-2) ?? [0, 0]
  const length = Math.hypot(toX - fromX, toY - fromY) || 1
  const [stepX, stepY] = [(toX - fromX) / length, (toY - fromY) / length]
  const corner = (side: number) =>
    `${(toX - 9 * stepX - 4 * side * stepY).toFixed(1)},${(toY - 9 * stepY + 4 * side * stepX).toFixed(1)}`
  return `<polygon class="head" points="${toX},${toY} ${corner(1)} ${corner(-1)}"/>`
}

const styleAlone =
  'svg{background:#fff}text{font:14px sans-serif;text-anchor:middle;fill:#18212b}.more,.said{font-size:12px;fill:#5f6b78}.said{text-anchor:start}rect{fill:#eef0f3;stroke:#c3cad2}.good rect{fill:#e3f3e8}.bad rect{fill:#fcebe9}.arrow{fill:none;stroke:#5f6b78}.head{fill:#5f6b78}'
