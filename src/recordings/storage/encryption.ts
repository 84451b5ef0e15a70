/**
 * Encrypted recordings (D210), in chunks so that any part can be read alone:
 *
 *   header = mark (8 bytes), key id (8), salt (16)
 *   chunk  = 64 KiB of sound, the last one less, encrypted (AES-256-GCM), then its tag (16)
 *
 * Each file has a key of its own, derived from ours and the salt. The nonce is the number of the chunk and whether it is
 * the last; the name is authenticated with each chunk. So chunks cannot be moved, exchanged or cut off unnoticed.
 */
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import type { ByteRange } from './port.ts'

const mark = Buffer.from('RAMALREC')
const idBytes = 8
const saltBytes = 16
export const headerBytes = mark.length + idBytes + saltBytes
const chunkBytes = 64 * 1024
const tagBytes = 16
const storedChunkBytes = chunkBytes + tagBytes

/** For the operator: the recording cannot be read as things are. */
class RecordingKeyError extends Error {
  override name = 'RecordingKeyError'
}

type FileKey = { key: Buffer; name: string }

export type EncryptionOptions = {
  cipher?: RecordingCipher
  /** Whether new recordings are encrypted; old ones are read as they are. */
  encrypts?: boolean
}

/** A file as it is stored: its size, its first bytes (`headerBytes`, or all if it is shorter), and any part of it. */
type StoredFile = { bytes: number; head: Buffer; read(range: ByteRange): AsyncIterable<Buffer> }

/** An encrypted file that is open: the size of its sound, and the sound or a part of it. */
export type EncryptedFile = { bytes: number; read(range: ByteRange): AsyncGenerator<Buffer> }

export function createRecordingCipher(ourKey: Buffer) {
  const id = createHmac('sha256', ourKey).update('ramal recordings key id').digest().subarray(0, idBytes)

  function fileKeyOf(salt: Buffer, name: string): FileKey {
    return { key: Buffer.from(hkdfSync('sha256', ourKey, salt, 'ramal recording', 32)), name }
  }

  /** The bytes of the file. The last chunk, which may be empty, is known only when the source ends. */
  async function* encrypt(name: string, source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    const salt = randomBytes(saltBytes)
    const fileKey = fileKeyOf(salt, name)
    yield Buffer.concat([mark, id, salt])
    let held = Buffer.alloc(0)
    let index = 0
    for await (const piece of source) {
      held = Buffer.concat([held, piece])
      while (held.length > chunkBytes) {
        yield encryptChunk(fileKey, nonceOf(index, false), held.subarray(0, chunkBytes))
        index += 1
        held = held.subarray(chunkBytes)
      }
    }
    yield encryptChunk(fileKey, nonceOf(index, true), held)
  }

  /** Undefined if the file is not encrypted. */
  function open(name: string, file: StoredFile): EncryptedFile | undefined {
    const { head } = file
    if (head.length < headerBytes || head.compare(mark, 0, mark.length, 0, mark.length) !== 0)
      return undefined
    const itsId = head.subarray(mark.length, mark.length + idBytes)
    if (!itsId.equals(id)) {
      const [its, ours] = [itsId.toString('hex'), id.toString('hex')]
      throw new RecordingKeyError(
        `The recording ${name} was encrypted with another key (${its}) than this database has (${ours}): use the database it was recorded with.`,
      )
    }
    const fileKey = fileKeyOf(head.subarray(mark.length + idBytes, headerBytes), name)
    const stored = file.bytes - headerBytes
    const chunks = Math.ceil(stored / storedChunkBytes)
    return {
      bytes: Math.max(0, stored - chunks * tagBytes),
      read: (range) => decrypt({ file, fileKey, stored, chunks }, range),
    }
  }

  return { encrypt, open }
}
type RecordingCipher = ReturnType<typeof createRecordingCipher>

type Chunks = { file: StoredFile; fileKey: FileKey; stored: number; chunks: number }

/** Reads the chunks that hold the range in one go. */
async function* decrypt({ file, fileKey, stored, chunks }: Chunks, { from, to }: ByteRange) {
  const last = Math.min(chunks - 1, Math.floor(to / chunkBytes))
  let index = Math.floor(from / chunkBytes)
  if (index > last) return
  const end = Math.min(stored, (last + 1) * storedChunkBytes)
  const sealed = file.read({
    from: headerBytes + index * storedChunkBytes,
    to: headerBytes + end - 1,
  })
  for await (const chunk of inChunks(sealed)) {
    const sound = decryptChunk(fileKey, nonceOf(index, index === chunks - 1), chunk)
    const before = index * chunkBytes
    yield sound.subarray(Math.max(0, from - before), Math.max(0, to + 1 - before))
    index += 1
  }
}

async function* inChunks(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let held = Buffer.alloc(0)
  for await (const piece of bytes) {
    held = Buffer.concat([held, piece])
    while (held.length >= storedChunkBytes) {
      yield held.subarray(0, storedChunkBytes)
      held = held.subarray(storedChunkBytes)
    }
  }
  if (held.length > 0) yield held
}

/** The same key never encrypts two chunks with one nonce: it belongs to one file. */
function nonceOf(index: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12)
  nonce.writeUInt32BE(index, 7)
  nonce.writeUInt8(isLast ? 1 : 0, 11)
  return nonce
}

function encryptChunk({ key, name }: FileKey, nonce: Buffer, sound: Buffer): Buffer {
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(name))
  return Buffer.concat([cipher.update(sound), cipher.final(), cipher.getAuthTag()])
}

function decryptChunk({ key, name }: FileKey, nonce: Buffer, sealed: Buffer): Buffer {
  const end = sealed.length - tagBytes
  if (end < 0) throw new RecordingKeyError(`The recording ${name} is cut off.`)
  const decipher = createDecipheriv('aes-256-gcm', key, nonce)
    .setAAD(Buffer.from(name))
    .setAuthTag(sealed.subarray(end))
  const sound = decipher.update(sealed.subarray(0, end))
  try {
    decipher.final()
  } catch (cause) {
    throw new RecordingKeyError(`The recording ${name} was changed, or is not of this name.`, { cause })
  }
  return sound
}
