/** A bug that is planted into a copy of the sources: a small patch, and the checks by which it may be found. */
import type { Check } from '../audit/violation.ts'

export type Bug = {
  name: string
  /** What went wrong when somebody made this mistake. */
  about: string
  file: string
  /** Occurs once in the file. */
  search: string
  replace: string
  foundBy: Check[]
}
