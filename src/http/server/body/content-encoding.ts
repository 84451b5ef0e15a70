/** Unpacks bodies that were compressed for the way (D430). */
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib'
import { refuse } from '../../../contract/errors.ts'

/** Size limit of a body as it was sent, and of what it unpacks to. */
export const maxBodyBytes = 1_048_576

/** Stops at the first byte too many: what a small body would unpack to costs nothing. */
const bounds = { maxOutputLength: maxBodyBytes }

const decoders: Record<string, (packed: Buffer) => Promise<Buffer>> = {
  gzip: (packed) => promisify(gunzip)(packed, bounds),
  'x-gzip': (packed) => promisify(gunzip)(packed, bounds),
  // Some clients leave out the header of zlib, whose lower half of the first byte is always 8.
  deflate: (packed) => promisify(((packed[0] ?? 0) & 0x0f) === 8 ? inflate : inflateRaw)(packed, bounds),
  br: (packed) => promisify(brotliDecompress)(packed, bounds),
}

export const isPacked = (encoding: string | undefined): encoding is string =>
  encoding !== undefined && !/^\s*(identity\s*)?$/i.test(encoding)

export async function unpack(packed: Buffer, encoding: string): Promise<Buffer> {
  const name = encoding.trim().toLowerCase()
  const decode = Object.hasOwn(decoders, name) ? decoders[name] : undefined
  if (!decode) throw refuse('UNSUPPORTED_MEDIA_TYPE', { message: unknownEncoding })
  try {
    return await decode(packed)
  } catch (cause) {
    const isTooLarge = cause instanceof Error && 'code' in cause && cause.code === 'ERR_BUFFER_TOO_LARGE'
    throw isTooLarge ? refuse('BODY_TOO_LARGE') : refuse('MALFORMED_BODY', { message: notPacked, cause })
  }
}

const unknownEncoding = {
  en: 'Content-Encoding must be gzip, deflate or br, or be left out.',
  pt: 'Content-Encoding deve ser gzip, deflate ou br, ou não ser enviado.',
}

const notPacked = {
  en: 'The body is not in the encoding that Content-Encoding names.',
  pt: 'O corpo da requisição não está na codificação indicada em Content-Encoding.',
}
