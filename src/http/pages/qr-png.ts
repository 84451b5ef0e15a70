/** A QR code as a PNG file: one bit a point, black on white. */
import { crc32, deflateSync } from 'node:zlib'

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const grayscale = 0

/** `dark` has the rows of the code with its margins; each of its points becomes a square of at least one pixel. */
export function encodePng(dark: boolean[][], minWidth: number): Buffer {
  const scale = Math.max(1, Math.ceil(minWidth / dark.length))
  const side = dark.length * scale
  const rows = dark.flatMap((row) => Array.from({ length: scale }, () => encodeRow(row, scale)))
  const header = Buffer.alloc(13)
  header.writeUInt32BE(side, 0)
  header.writeUInt32BE(side, 4)
  header[8] = 1
  header[9] = grayscale
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.concat(rows))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** A set bit is white. The first byte says that the row is not filtered. */
function encodeRow(row: boolean[], scale: number): Buffer {
  const bytes = Buffer.alloc(1 + Math.ceil((row.length * scale) / 8))
  for (let x = 0; x < row.length * scale; x++) {
    if (!row[Math.floor(x / scale)]) bytes[1 + (x >> 3)] = (bytes[1 + (x >> 3)] ?? 0) | (0x80 >> (x & 7))
  }
  return bytes
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const ends = Buffer.alloc(8)
  ends.writeUInt32BE(data.length, 0)
  ends.writeUInt32BE(crc32(body), 4)
  return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)])
}
