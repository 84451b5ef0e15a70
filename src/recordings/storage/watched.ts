/** A store of recordings of which is known whether it works. */
import type { Outcomes } from '../../kit/outcomes.ts'
import type { RecordingStore } from './port.ts'

export function watchStore(store: RecordingStore, { watch }: Pick<Outcomes, 'watch'>): RecordingStore {
  return {
    put: (name, source) => watch(store.put(name, source)),
    open: (name) => watch(store.open(name)),
    remove: (name) => store.remove(name),
    removeBefore: (day) => store.removeBefore(day),
  }
}
