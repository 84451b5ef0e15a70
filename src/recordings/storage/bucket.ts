/** D258: recordings in an S3-compatible bucket, which all processes share. Links to them stay ours: we read the bucket. */

import { Readable } from 'node:stream'
import { type Clock, plusSeconds } from '../../kit/clock.ts'
import { defined } from '../../kit/defined.ts'
import { createSemaphore } from '../../kit/semaphore.ts'
import { type EncryptionOptions, headerBytes } from './encryption.ts'
import { checkName, dayFolderOf, isOfDayBefore } from './names.ts'
import type { ByteRange, RecordingSource, RecordingStore, StoredRecording } from './port.ts'
import { BucketError, type BucketSettings, createS3Client, elementsOf, textOf } from './s3-client.ts'
import { abort, upload } from './upload.ts'

/** Each holds two parts in memory at most. */
const uploadsAtOnce = 4
/** An upload takes minutes: what is older was left by a killed process. */
const abandonedSeconds = 86_400
/** Times that a broken answer is continued where it broke. */
const maxBreaks = 3

type Options = EncryptionOptions & { clock: Clock }

export function createBucketStore(
  settings: BucketSettings,
  { cipher, encrypts = false, clock }: Options,
): RecordingStore {
  const client = createS3Client(settings)
  const uploads = createSemaphore(uploadsAtOnce)
  const keyOf = (name: string) => `${settings.prefix}${checkName(name)}`

  /** S3 shows an object when all of it is there. Uploading again replaces it by the same. */
  async function put(name: string, source: RecordingSource) {
    const key = keyOf(name)
    await uploads.run(async () => {
      let sound: Readable
      try {
        sound = await source.open()
      } catch (error) {
        // Already stored by a process that ended before it could record that.
        if (await find(key)) return
        throw error
      }
      try {
        await upload(client, key, encrypts && cipher ? cipher.encrypt(name, sound) : sound)
      } finally {
        sound.destroy()
      }
    })
  }

  async function open(name: string): Promise<StoredRecording | undefined> {
    const key = keyOf(name)
    const found = await find(key)
    if (!found) return undefined
    const read = (range: ByteRange) => readRange(key, range, found.etag)
    const opened = cipher?.open(name, { ...found, read }) ?? { bytes: found.bytes, read }
    return {
      bytes: opened.bytes,
      read: (range = { from: 0, to: opened.bytes - 1 }) =>
        Readable.from(opened.read(range), { objectMode: false }),
      async close() {},
    }
  }

  /** One request for the size and the beginning, where the header of an encrypted recording is. */
  async function find(key: string) {
    const headers = { range: `bytes=0-${headerBytes - 1}` }
    try {
      const { headers: about, body } = await client.send({ method: 'GET', key, headers })
      const head = Buffer.from(await body.arrayBuffer())
      const [, size] = /\/(\d+)$/.exec(String(about['content-range'] ?? '')) ?? []
      return { head, bytes: size === undefined ? head.length : Number(size), etag: String(about.etag) }
    } catch (error) {
      if (!(error instanceof BucketError)) throw error
      if (error.code === 'NoSuchKey') return undefined
      // No byte of an empty object can be requested.
      if (error.status === 416) return { head: Buffer.alloc(0), bytes: 0, etag: '' }
      throw error
    }
  }

  async function* readRange(key: string, { from, to }: ByteRange, etag: string): AsyncGenerator<Buffer> {
    let breaks = 0
    for (let next = from; next <= to; ) {
      const headers = { range: `bytes=${next}-${to}`, 'if-match': etag }
      const { body } = await client.send({ method: 'GET', key, headers })
      try {
        for await (const piece of body) {
          next += piece.length
          yield piece
        }
        if (next <= to) throw new Error(`the bucket sent too little of ${key}`)
      } catch (error) {
        breaks += 1
        if (breaks > maxBreaks) throw error
      }
    }
  }

  async function remove(name: string) {
    const { body } = await client.send({ method: 'DELETE', key: keyOf(name) })
    await body.dump()
  }

  /** Names are listed in order, by day: the list ends at the first that stays. */
  async function removeBefore(day: Date) {
    for (let token: string | undefined; ; ) {
      const { text } = await client.sendForText({
        method: 'GET',
        query: {
          'list-type': '2',
          prefix: settings.prefix,
          ...defined({ 'continuation-token': token }),
        },
      })
      const keys = elementsOf(text, 'Contents').map((entry) => textOf(entry, 'Key') ?? '')
      const names = keys.map((key) => key.slice(settings.prefix.length))
      for (const name of names.filter((one) => isOfDayBefore(one, day))) await remove(name)
      token = textOf(text, 'NextContinuationToken')
      const last = names.at(-1)
      if (token === undefined || (last && last > dayFolderOf(day))) break
    }
    await abortAbandoned()
  }

  /** What killed processes left of uploads in parts, which costs money and is shown nowhere. */
  async function abortAbandoned() {
    const query = { uploads: '', prefix: settings.prefix }
    const { text } = await client.sendForText({ method: 'GET', query }).catch((error: unknown) => {
      // Some servers cannot list them, and some operators do not permit it: a rule of the bucket may do the same.
      if (error instanceof BucketError && [403, 405, 501].includes(error.status)) return { text: '' }
      throw error
    })
    const before = plusSeconds(clock.now(), -abandonedSeconds)
    for (const entry of elementsOf(text, 'Upload')) {
      const [key, uploadId, begun] = ['Key', 'UploadId', 'Initiated'].map((part) => textOf(entry, part))
      if (key && uploadId && begun && new Date(begun) < before) await abort(client, { key, uploadId })
    }
  }

  return { put, open, remove, removeBefore }
}
