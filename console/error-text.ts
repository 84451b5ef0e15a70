/** What people read of an error body: in the language that was asked for, if it has it (D158). */
import type { Error as ErrorBody } from './api-types.ts'

type FieldMessages = Record<string, string[]>
type FieldDetails = { messages?: FieldMessages; localizedMessages?: FieldMessages }

export const messageOf = ({ localizedMessage, message }: ErrorBody['error']) => localizedMessage ?? message

/** One sentence for each field that is wrong. */
export function fieldsOf(error: ErrorBody['error']): Record<string, string> {
  const details = 'details' in error ? (error.details as FieldDetails | undefined) : undefined
  const entries = Object.entries(details?.localizedMessages ?? details?.messages ?? {})
  return Object.fromEntries(entries.map(([field, messages]) => [field, messages.join(', ')]))
}
