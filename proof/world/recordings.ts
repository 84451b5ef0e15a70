/** A store for recordings in memory, which is out of reach now and then. */
import { Readable } from 'node:stream'
import { type RecordingStore, RecordingsUnavailable } from '../../src/recordings/storage/port.ts'
import type { World } from './world.ts'

export function createRecordingStore({
  random,
  hasFaults,
}: Pick<World, 'random' | 'hasFaults'>): RecordingStore {
  /** Sizes: the sound of fake calls is silence. */
  const stored = new Map<string, number>()

  function tryReaching(share = 0.1) {
    if (hasFaults() && random.next() < share) throw new RecordingsUnavailable('the bucket does not answer')
  }

  return {
    async put(name, source) {
      tryReaching()
      let bytes = 0
      for await (const chunk of await source.open()) bytes += chunk.length
      tryReaching()
      stored.set(name, bytes)
      // It is stored, and the answer is lost.
      tryReaching(0.25)
    },
    async open(name) {
      tryReaching()
      const bytes = stored.get(name)
      if (bytes === undefined) return undefined
      return {
        bytes,
        read: (range) => Readable.from([Buffer.alloc(range ? range.to - range.from + 1 : bytes)]),
        close: async () => {},
      }
    },
    async remove(name) {
      stored.delete(name)
    },
    async removeBefore() {},
  }
}
