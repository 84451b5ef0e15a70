/** LibreOffice Calc as it opens a CSV file by itself: what is text to it, what a number, a date or a time. */
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { need } from '../runner/programs.ts'

const run = promisify(execFile)

/** Of the computer of the person. */
const locales = { pt: 'pt_BR.UTF-8', en: 'en_GB.UTF-8' }

/**
 * What its dialog proposes for a file with a byte order mark: tab, comma and semicolon as separators, quotation marks, UTF-8,
 * from the first line. Without the dialog it does not look for the mark.
 */
const proposed = 'Text - txt - csv (StarCalc):9/44/59,34,76,1'

type Kind = 'string' | 'float' | 'date' | 'time'
export type Cell = { kind: Kind; value: string }

/** Rows of the first sheet, without empty cells at their ends. */
export async function openInCalc(csv: string, language: 'pt' | 'en'): Promise<(Cell | undefined)[][]> {
  need('soffice')
  const home = await mkdtemp(join(tmpdir(), 'ramal-calc-'))
  try {
    const command = ['--headless', `--infilter=${proposed}`, '--convert-to', 'fods', '--outdir', home, csv]
    const env = { PATH: process.env.PATH, HOME: home, LANG: locales[language] }
    await run('soffice', command, { env, timeout: 90_000 })
    return readSheet(await readFile(join(home, `${basename(csv).replace(/\.csv$/, '')}.fods`), 'utf8'))
  } finally {
    await rm(home, { recursive: true, force: true, maxRetries: 5 })
  }
}

const rowOf = /<table:table-row[^>]*?(?:\/>|>(.*?)<\/table:table-row>)/gs
const cellOf = /<table:table-cell([^>]*?)(?:\/>|>(.*?)<\/table:table-cell>)/gs

/** Of a flat XML file, whose rows and cells are as they were written: repeated ones are blank here. */
function readSheet(xml: string): (Cell | undefined)[][] {
  const [, table = ''] = /<table:table [^>]*>(.*?)<\/table:table>/s.exec(xml) ?? []
  return [...table.matchAll(rowOf)]
    .map(([, row = '']) =>
      [...row.matchAll(cellOf)].flatMap(([, names = '', text = '']) => readCell(names, text)),
    )
    .map((row) => row.slice(0, row.findLastIndex((cell) => cell !== undefined) + 1))
    .filter((row) => row.length > 0)
}

function readCell(names: string, text: string): (Cell | undefined)[] {
  const of = (name: string) => new RegExp(`${name}="([^"]*)"`).exec(names)?.[1]
  const kind = of('office:value-type') as Kind | undefined
  const paragraphs = [...text.matchAll(/<text:p>(.*?)<\/text:p>/gs)].map(([, one = '']) => unescaped(one))
  const value =
    of('office:value') ?? of('office:date-value') ?? of('office:time-value') ?? paragraphs.join('\n')
  const cell = kind && { kind, value }
  return Array.from({ length: Number(of('table:number-columns-repeated') ?? 1) }, () => cell)
}

const unescaped = (xml: string) =>
  xml
    .replaceAll(/<text:s text:c="(\d+)"\/>/g, (_, count) => ' '.repeat(count))
    .replaceAll('<text:s/>', ' ')
    .replaceAll(/<[^>]+>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&apos;', "'")
    .replaceAll('&amp;', '&')
