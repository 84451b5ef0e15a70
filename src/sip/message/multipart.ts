/** Bodies of several parts (RFC 2046, 5.1; RFC 5621), as carriers send them: SDP beside the ISUP of the telephone network. */

export type BodyPart = { type: string; content: Buffer }

const maxParts = 16
const lineEnd = Buffer.from('\r\n')
const emptyLine = Buffer.from('\r\n\r\n')

/** The boundary of `multipart/mixed;boundary="x"`; undefined for any other type, or without a usable boundary. */
export function boundaryOf(contentType: string): string | undefined {
  if (!/^multipart\/(?:mixed|alternative)\s*;/i.test(contentType)) return undefined
  const [, quoted, bare] = /;\s*boundary\s*=\s*(?:"([^"\\]{1,70})"|([^\s;"]{1,70}))/i.exec(contentType) ?? []
  return quoted ?? bare
}

/** The parts in their order; what stands before the first and after the last is ignored. */
export function readParts(body: Buffer, boundary: string): BodyPart[] {
  const delimiter = Buffer.from(`--${boundary}`)
  const parts: BodyPart[] = []
  let from = delimiterFrom(body, delimiter, 0)
  while (from >= 0 && parts.length < maxParts) {
    const start = body.indexOf(lineEnd, from)
    const end = start < 0 ? -1 : delimiterFrom(body, delimiter, start)
    if (end < 0) break
    // The line end before a delimiter belongs to it.
    parts.push(
      readPart(body.subarray(start + lineEnd.length, Math.max(start + lineEnd.length, end - lineEnd.length))),
    )
    from = end + delimiter.length
  }
  return parts
}

/** Where the next delimiter begins: at the start of a line. */
function delimiterFrom(body: Buffer, delimiter: Buffer, from: number): number {
  let at = body.indexOf(delimiter, from)
  while (at > 0 && body[at - 1] !== 0x0a) at = body.indexOf(delimiter, at + 1)
  return at
}

function readPart(bytes: Buffer): BodyPart {
  const hasHeaders = !bytes.subarray(0, lineEnd.length).equals(lineEnd)
  const end = hasHeaders ? bytes.indexOf(emptyLine) : 0
  const headers = bytes.subarray(0, Math.max(end, 0)).toString('latin1')
  const [, type = ''] = /^content-type[ \t]*:[ \t]*([^\s;]+)/im.exec(headers) ?? []
  const length = hasHeaders ? emptyLine.length : lineEnd.length
  return { type: type.toLowerCase(), content: end < 0 ? bytes.subarray(0, 0) : bytes.subarray(end + length) }
}
