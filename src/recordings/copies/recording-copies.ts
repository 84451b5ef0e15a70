/**
 * Recordings in smaller formats (D576, D586): made when they are first requested, then kept beside the recording. Only the usual
 * form, a party on each channel and the extension first, is kept; the others are made for each request.
 */
import { Readable } from 'node:stream'
import { refuse } from '../../contract/errors.ts'
import type { Log } from '../../kit/process/log.ts'
import { createSemaphore } from '../../kit/semaphore.ts'
import type { Timers } from '../../kit/timers.ts'
import { wavHeaderLength } from '../../media/sound/wav.ts'
import type { Database } from '../../store/database.ts'
import { inForm, type SoundForm } from '../peaks/sound-form.ts'
import { recordingNameOf } from '../recording-intake.ts'
import { type OpenRecording, type Recordings, whileReachable } from '../recordings.ts'
import { type RecordedCall, selectRecorded } from '../recordings-store.ts'
import { type CopyFormat, copyName } from '../storage/names.ts'
import type { RecordingStore, StoredRecording } from '../storage/port.ts'
import type { Mp3Program } from './mp3-program.ts'
import { encodeOpus } from './opus-thread.ts'

const atOnce = 2
const maxWaiting = 16
/** 16 s of sound: handing it over costs little against encoding it. */
const partBytes = 512 * 1024
/** A longer recording is being made while the client waits, and is there when it asks again. */
const maxHeldMs = 20_000
const retryAfter = 5

type Deps = {
  db: Database
  log: Log
  timers: Timers
  store: RecordingStore
  recordings: Pick<Recordings, 'openFound'>
  mp3: Mp3Program
}

/** The requested form and format of a recording. */
type Wanted = SoundForm & { format: CopyFormat }

export function createRecordingCopies({ db, log, timers, store, recordings, mp3 }: Deps) {
  const semaphore = createSemaphore(atOnce)
  const encoders = { ogg: encodeOpus, mp3: mp3.encode }
  /** By call and what is wanted: a copy that two clients request at once is made once. */
  const pending = new Map<string, Promise<Buffer>>()

  /** The copy that is kept, or a new one. */
  async function open(call: RecordedCall, wanted: Wanted): Promise<StoredRecording> {
    const { format, channels, isSwapped } = wanted
    const isKept = channels === 2 && !isSwapped
    const kept = isKept ? await whileReachable(() => store.open(nameOf(call, format))) : undefined
    if (kept) return kept
    if (!(await makes(format))) throw refuse('FORMAT_UNAVAILABLE')
    const key = `${call.id} ${format} ${channels} ${isSwapped}`
    const made = pending.get(key) ?? begin(key, call, wanted, isKept)
    return inMemory(await held(made))
  }

  const makes = async (format: CopyFormat) => format === 'ogg' || (await mp3.isThere())

  function begin(key: string, call: RecordedCall, wanted: Wanted, isKept: boolean): Promise<Buffer> {
    if (pending.size >= maxWaiting + atOnce) throw refuse('SERVICE_UNAVAILABLE', { retryAfter })
    const made = semaphore
      .run(() => whileReachable(() => make(call, wanted, isKept)))
      .finally(() => pending.delete(key))
    made.catch((error: unknown) => log.warn({ call: call.id, error }, 'a recording could not be encoded'))
    pending.set(key, made)
    return made
  }

  function held(made: Promise<Buffer>): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      const late = timers.after(maxHeldMs, () => reject(refuse('SERVICE_UNAVAILABLE', { retryAfter })))
      made.then(resolve, reject).finally(() => late.cancel())
    })
  }

  async function make(call: RecordedCall, wanted: Wanted, isKept: boolean): Promise<Buffer> {
    const { format, channels } = wanted
    const sound = inForm(await recordings.openFound(call), wanted)
    const written: Uint8Array[] = []
    for await (const part of encoders[format](samplesOf(sound, channels), channels)) written.push(part)
    const copy = Buffer.concat(written)
    if (isKept) await keep(nameOf(call, format), call, copy)
    return copy
  }

  async function keep(name: string, call: RecordedCall, copy: Buffer) {
    await store.put(name, { open: async () => Readable.from([copy]) })
    // D303: removed meanwhile. A removal that comes later removes the copies too, once the recording is marked.
    const [now] = await selectRecorded(db, [call.id])
    if (now?.recording !== 'stored') await store.remove(name)
  }

  return { open, makes }
}
export type RecordingCopies = ReturnType<typeof createRecordingCopies>

const nameOf = (call: RecordedCall, format: CopyFormat) => copyName(recordingNameOf(call), format)

function inMemory(copy: Buffer): StoredRecording {
  return {
    bytes: copy.length,
    read: ({ from, to } = { from: 0, to: copy.length - 1 }) => Readable.from([copy.subarray(from, to + 1)]),
    close: async () => {},
  }
}

/** Parts of whole samples of all channels. */
async function* samplesOf(sound: OpenRecording, channels: 1 | 2): AsyncGenerator<Uint8Array> {
  const frameLength = 2 * channels
  let rest = Buffer.alloc(0)
  if (sound.bytes < wavHeaderLength + frameLength) return await sound.close()
  for await (const chunk of sound.read({
    from: wavHeaderLength,
    to: sound.bytes - 1,
  }) as AsyncIterable<Buffer>) {
    rest = Buffer.concat([rest, chunk])
    if (rest.length < partBytes) continue
    const whole = rest.length - (rest.length % frameLength)
    yield new Uint8Array(rest.subarray(0, whole))
    rest = rest.subarray(whole)
  }
  yield new Uint8Array(rest.subarray(0, rest.length - (rest.length % frameLength)))
}
