/** Cells of CSV files (RFC 4180). */

/** In files with semicolons: LibreOffice proposes to split at commas too, also at the decimal comma of a number. */
export const anySeparator = /[",;\t\r\n]/

/** `quotedFor`: characters for which a cell is quoted. */
export function writeCell(text: string, quotedFor = /[",\r\n]/): string {
  return quotedFor.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

const cells = {
  ',': /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/gy,
  ';': /(?:"((?:[^"]|"")*)"|([^";\r\n]*))(;|\r?\n|$)/gy,
  '\t': /(?:"((?:[^"]|"")*)"|([^"\t\r\n]*))(\t|\r?\n|$)/gy,
}

type Separator = keyof typeof cells

/** The separator that is most frequent in the header line: Excel writes semicolons where the comma is the decimal sign. */
export function separatorOf(text: string): Separator {
  const [first = ''] = text.split(/\r?\n/, 1)
  const countOf = (separator: string) => first.split(separator).length
  return (['\t', ';', ','] as const).reduce((best, one) => (countOf(one) > countOf(best) ? one : best), ',')
}

/** Cells are quoted where they contain the separator, quotes or line breaks. What follows text that is no cell is left out. */
export function readCsv(text: string, separator: Separator = ','): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  const cell = new RegExp(cells[separator])
  for (let found = cell.exec(text); found; found = cell.exec(text)) {
    const [, quoted, plain, end] = found
    row.push(quoted === undefined ? (plain ?? '') : quoted.replaceAll('""', '"'))
    if (end !== separator) {
      rows.push(row)
      row = []
    }
    if (end === '') break
  }
  return rows
}
