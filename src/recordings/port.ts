/** Where recordings are kept, whatever keeps them. Names are paths of their own, such as `2026/11/15/<call>.wav`. */
import type { Readable } from 'node:stream'

/** Both ends belong to it, counted from 0. */
export type ByteRange = { from: number; to: number }

export type StoredRecording = {
  bytes: number
  /** Once. What is read, or destroyed, is closed. */
  read(range?: ByteRange): Readable
  /** For those who do not read. */
  close(): Promise<void>
}

export type RecordingStore = {
  /** Takes the file over: afterwards it is kept, and gone from `path`. Doing it again changes nothing. */
  put(name: string, path: string): Promise<void>
  open(name: string): Promise<StoredRecording | undefined>
  /** What is not there is removed already. */
  remove(name: string): Promise<void>
}
