/** Where recordings are stored, whatever stores them. Names look like paths: `2026/11/15/<call>.wav`. */
import type { Readable } from 'node:stream'

/** The store cannot be reached or is busy: later it may work. */
export class RecordingsUnavailable extends Error {
  override name = 'RecordingsUnavailable'
}

/** Inclusive at both ends, counted from 0. */
export type ByteRange = { from: number; to: number }

export type StoredRecording = {
  bytes: number
  /** At most once. Closed when the stream has been read or is destroyed. */
  read(range?: ByteRange): Readable
  /** Instead of `read`. */
  close(): Promise<void>
}

/** What is to be stored, as a stream; `moveTo` is a shortcut for a store on the same disk. */
export type RecordingSource = {
  open(): Promise<Readable>
  /** Moves the file to `path`, flushed to disk; false if only the stream can be used. */
  moveTo?(path: string): Promise<boolean>
}

export type RecordingStore = {
  /** Resolves once the recording is safely stored. Storing again what is stored changes nothing. */
  put(name: string, source: RecordingSource): Promise<void>
  open(name: string): Promise<StoredRecording | undefined>
  /** Does nothing if there is no such recording. */
  remove(name: string): Promise<void>
  /** D230: removes what the store has of days before this one, whichever process marked the calls. */
  removeBefore(day: Date): Promise<void>
}
