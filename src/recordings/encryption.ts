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
import type { FileHandle } from 'node:fs/promises'
import type { ByteRange } from './port.ts'

const mark = Buffer.from('RAMALREC')
const idBytes = 8
const saltBytes = 16
const headerBytes = mark.length + idBytes + saltBytes
const chunkBytes = 64 * 1024
const tagBytes = 16
const storedChunkBytes = chunkBytes + tagBytes

/** For the operator: the recording cannot be read as things are. */
class RecordingKeyError extends Error {
  override name = 'RecordingKeyError'
}

type FileKey = { key: Buffer; name: string }

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
  async function open(name: string, file: FileHandle): Promise<EncryptedFile | undefined> {
    const header = Buffer.alloc(headerBytes)
    const { bytesRead } = await file.read(header, 0, headerBytes, 0)
    if (bytesRead < headerBytes || header.compare(mark, 0, mark.length, 0, mark.length) !== 0)
      return undefined
    const itsId = header.subarray(mark.length, mark.length + idBytes)
    if (!itsId.equals(id)) {
      const [its, ours] = [itsId.toString('hex'), id.toString('hex')]
      throw new RecordingKeyError(
        `The recording ${name} was encrypted with another key (${its}) than this database has (${ours}): use the database it was recorded with.`,
      )
    }
    const fileKey = fileKeyOf(header.subarray(mark.length + idBytes), name)
    const stored = (await file.stat()).size - headerBytes
    const chunks = Math.ceil(stored / storedChunkBytes)
    return {
      bytes: Math.max(0, stored - chunks * tagBytes),
      read: (range) => decrypt({ file, fileKey, stored, chunks }, range),
    }
  }

  return { encrypt, open }
}
export type RecordingCipher = ReturnType<typeof createRecordingCipher>

type Chunks = { file: FileHandle; fileKey: FileKey; stored: number; chunks: number }

async function* decrypt({ file, fileKey, stored, chunks }: Chunks, { from, to }: ByteRange) {
  const last = Math.min(chunks - 1, Math.floor(to / chunkBytes))
  for (let index = Math.floor(from / chunkBytes); index <= last; index++) {
    const start = index * storedChunkBytes
    const sealed = Buffer.alloc(Math.min(storedChunkBytes, stored - start))
    const { bytesRead } = await file.read(sealed, 0, sealed.length, headerBytes + start)
    const nonce = nonceOf(index, index === chunks - 1)
    const sound = decryptChunk(fileKey, nonce, sealed.subarray(0, bytesRead))
    const before = index * chunkBytes
    yield sound.subarray(Math.max(0, from - before), Math.max(0, to + 1 - before))
  }
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
