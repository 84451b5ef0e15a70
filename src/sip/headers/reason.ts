/** The Reason header (RFC 3326): why a call ended, for example `Q.850;cause=16;text="Normal"`. */
import type { WithHeaders } from '../header.ts'
import { listValues } from '../message/message.ts'
import { readParams } from '../syntax/params.ts'
import { quote } from '../syntax/quoted.ts'
import { splitOutside } from '../syntax/split.ts'
import { readNumber } from '../syntax/token.ts'

export type Reason = { protocol: string; cause: number | undefined; text: string | undefined }

/** Informative only: a malformed Reason does not invalidate the message. */
export function reasons(message: WithHeaders): Reason[] {
  try {
    return listValues(message, 'Reason').map(parseReason)
  } catch {
    return []
  }
}

function parseReason(value: string): Reason {
  const [protocol = '', ...rest] = splitOutside(value, ';')
  const params = readParams(rest)
  return { protocol, cause: readNumber(params.get('cause') ?? ''), text: params.get('text') }
}

/** The Q.850 cause, if it is between 1 and 127. */
export function q850Cause(message: WithHeaders): number | undefined {
  const reason = reasons(message).find(({ protocol }) => protocol.toUpperCase() === 'Q.850')
  const cause = reason?.cause
  return cause !== undefined && cause >= 1 && cause <= 127 ? cause : undefined
}

export function formatReason({ protocol, cause, text }: Reason): string {
  const number = cause === undefined ? '' : `;cause=${cause}`
  return `${protocol}${number}${text === undefined ? '' : `;text=${quote(text)}`}`
}
