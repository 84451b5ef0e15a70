/**
 * Peaks of recordings for the API (D316): read from the store of recordings and computed in a thread when they are first
 * requested, then stored in the database. Two recordings are read at a time; a few more wait.
 */
import type { Readable } from 'node:stream'
import { refuse } from '../../contract/errors.ts'
import { createTaskThread } from '../../kit/process/task-thread.ts'
import { createSemaphore } from '../../kit/semaphore.ts'
import { frameBytes, wavHeaderLength, wavSampleRate } from '../../media/sound/wav.ts'
import type { Database } from '../../store/database.ts'
import { type ListenedBy, type Recordings, whileReachable } from '../recordings.ts'
import { lockStored, type RecordedCall } from '../recordings-store.ts'
import { addPart, framesPerPeak, type PartPeaks, type Peaks, type SoundPart, silentPeaks } from './peaks.ts'
import { insertPeaks, type StoredPeaks, selectPeaks } from './peaks-store.ts'

const atOnce = 2
const maxWaiting = 32
/** 16 s of sound: handing it over costs little against computing its peaks. */
const partBytes = 512 * 1024

/** One for the process, because threads take time to start. */
const thread = createTaskThread<SoundPart, PartPeaks>(
  'peaks thread',
  new URL('./peaks-worker.ts', import.meta.url),
)

type Deps = { db: Database; recordings: Pick<Recordings, 'find' | 'openFound'> }

export function createRecordingPeaks({ db, recordings }: Deps) {
  const semaphore = createSemaphore(atOnce)
  /** By call: a recording that two clients request at once is read once. */
  const pending = new Map<string, Promise<StoredPeaks>>()

  async function find(callId: string, by: ListenedBy): Promise<Peaks & { seconds: number }> {
    const call = await recordings.find(callId, by)
    const stored = await selectPeaks(db, call.id)
    const { frames, ...peaks } = stored ?? (await (pending.get(call.id) ?? begin(call)))
    return { seconds: frames / wavSampleRate, ...peaks }
  }

  function begin(call: RecordedCall): Promise<StoredPeaks> {
    if (pending.size >= maxWaiting + atOnce) throw refuse('SERVICE_UNAVAILABLE', { retryAfter: 2 })
    const computed = semaphore.run(() => compute(call)).finally(() => pending.delete(call.id))
    pending.set(call.id, computed)
    return computed
  }

  async function compute(call: RecordedCall): Promise<StoredPeaks> {
    const peaks = await whileReachable(() => read(call))
    await db.transaction().execute(async (tx) => {
      // Not of a recording that was removed meanwhile.
      if (await lockStored(tx, call.id)) await insertPeaks(tx, call.id, peaks)
    })
    return peaks
  }

  async function read(call: RecordedCall): Promise<StoredPeaks> {
    const sound = await recordings.openFound(call)
    const frames = Math.max(0, Math.floor((sound.bytes - wavHeaderLength) / frameBytes))
    const perPeak = framesPerPeak(frames)
    const peaks = { frames, ...silentPeaks(Math.ceil(frames / perPeak)) }
    if (frames === 0) {
      await sound.close()
      return peaks
    }
    const source = sound.read({ from: wavHeaderLength, to: wavHeaderLength + frames * frameBytes - 1 })
    let firstFrame = 0
    for await (const samples of inParts(source)) {
      addPart(peaks, await thread.run({ samples, firstFrame, framesPerPeak: perPeak }))
      firstFrame += samples.length / frameBytes
    }
    return peaks
  }

  return { find }
}
export type RecordingPeaks = ReturnType<typeof createRecordingPeaks>

/** Whole frames, as the source has whole frames. Each part has memory of its own, since all of it goes to the thread. */
async function* inParts(source: Readable): AsyncGenerator<Uint8Array> {
  let part = new Uint8Array(partBytes)
  let filled = 0
  for await (const chunk of source as AsyncIterable<Buffer>) {
    for (let taken = 0; taken < chunk.length; ) {
      const piece = chunk.subarray(taken, taken + partBytes - filled)
      part.set(piece, filled)
      filled += piece.length
      taken += piece.length
      if (filled < partBytes) continue
      yield part
      part = new Uint8Array(partBytes)
      filled = 0
    }
  }
  if (filled > 0) yield part.slice(0, filled)
}
