/** One row of the table of settings. */
import type { Reader } from './readers.ts'

export type Setting<T> = {
  /** As shown in the documentation; the empty string means "not set". */
  fallback: string
  about: string
  read: Reader<T>
}

export function setting<T>(fallback: string, read: Reader<T>, about: string): Setting<T> {
  return { fallback, about, read }
}
