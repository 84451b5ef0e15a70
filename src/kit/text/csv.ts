/** Cells of CSV files (RFC 4180). */

/** `separator`: Excel has semicolons where the comma is the decimal sign. */
export function writeCell(text: string, separator: ',' | ';' = ','): string {
  return /["\r\n]/.test(text) || text.includes(separator) ? `"${text.replaceAll('"', '""')}"` : text
}
