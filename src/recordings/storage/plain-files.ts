/** Files that others read where they are stored (D585): in a folder or in a bucket, neither encrypted nor removed by us. */
import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { type BucketSettings, createS3Client } from './s3-client.ts'
import { upload } from './upload.ts'

export type PlainFiles = {
  /** Appears when it is complete, in place of one of the same name. Memory does not depend on its length. */
  write(name: string, bytes: AsyncIterable<Buffer>): Promise<void>
}

export function createFolderFiles(folder: string): PlainFiles {
  return {
    async write(name, bytes) {
      const target = join(folder, name)
      const draft = `${target}.${randomUUID()}.part`
      await mkdir(dirname(target), { recursive: true, mode: 0o700 })
      try {
        await pipeline(bytes, createWriteStream(draft, { mode: 0o600, flush: true }))
        await rename(draft, target)
      } catch (error) {
        await rm(draft, { force: true })
        throw error
      }
    },
  }
}

export function createBucketFiles(settings: BucketSettings, contentType: string): PlainFiles {
  const client = createS3Client(settings)
  return { write: (name, bytes) => upload(client, `${settings.prefix}${name}`, bytes, contentType) }
}
