/** For the doctor: stores, reads and removes a recording of nothing. Throws with the reason if that is not possible. */
import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { systemClock } from '../../kit/clock.ts'
import { createBucketStore } from './bucket.ts'
import type { BucketSettings } from './s3-client.ts'

export async function tryBucket(settings: BucketSettings) {
  const store = createBucketStore(settings, { clock: systemClock })
  const name = `doctor/${randomUUID()}.wav`
  const written = Buffer.from('ramal doctor')
  await store.put(name, { open: async () => Readable.from([written]) })
  const found = await store.open(name)
  const read = found && (await buffer(found.read()))
  await store.remove(name)
  if (!read?.equals(written)) throw new Error('the bucket does not return what was stored in it')
}
