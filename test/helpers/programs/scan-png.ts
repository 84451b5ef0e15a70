/** Reads the QR code in a PNG file, as a telephone does: the file is decoded by rules of its own, the code by jsQR. */
import { crc32, inflateSync } from 'node:zlib'
import jsQR from 'jsqr'

type JsQr = typeof jsQR.default

/** Reads a PNG of one bit per pixel without filters, as our service writes it. */
export function scanPng(file: Buffer): string | undefined {
  const chunks = readChunks(file)
  const header = chunks.find(({ type }) => type === 'IHDR')?.data ?? Buffer.alloc(0)
  const [width, height, depth] = [header.readUInt32BE(0), header.readUInt32BE(4), header[8]]
  if (depth !== 1) throw new Error(`${depth} bits a point`)
  const rows = inflateSync(
    Buffer.concat(chunks.filter(({ type }) => type === 'IDAT').map(({ data }) => data)),
  )
  const stride = 1 + Math.ceil(width / 8)
  const points = new Uint8ClampedArray(width * height * 4)
  for (let y = 0; y < height; y++) {
    if (rows[y * stride] !== 0) throw new Error('a filtered row')
    for (let x = 0; x < width; x++) {
      const bit = ((rows[y * stride + 1 + (x >> 3)] ?? 0) >> (7 - (x & 7))) & 1
      points.fill(bit * 255, (y * width + x) * 4, (y * width + x) * 4 + 3)
      points[(y * width + x) * 4 + 3] = 255
    }
  }
  const scan = jsQR as unknown as JsQr
  return scan(points, width, height)?.data
}

function readChunks(file: Buffer) {
  const chunks: { type: string; data: Buffer }[] = []
  for (let at = 8; at < file.length; ) {
    const length = file.readUInt32BE(at)
    const body = file.subarray(at + 4, at + 8 + length)
    if (crc32(body) !== file.readUInt32BE(at + 8 + length)) throw new Error('a wrong checksum')
    chunks.push({ type: body.toString('latin1', 0, 4), data: body.subarray(4) })
    at += 12 + length
  }
  return chunks
}
