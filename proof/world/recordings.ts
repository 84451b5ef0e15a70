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

  function tryReaching() {
    if (hasFaults() && random.next() < 0.1) throw new RecordingsUnavailable('the bucket does not answer')
  }

  return {
    async put(name, source) {
      tryReaching()
      let bytes = 0
      for await (const chunk of await source.open()) bytes += chunk.length
      tryReaching()
      stored.set(name, bytes)
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
