/** The SIP messages of a call as they are stored: JSON, compressed. */
import { promisify } from 'node:util'
import { constants, deflateRaw, inflateRaw } from 'node:zlib'
import type { SipTrace, TracedMessage } from '../../engine/port.ts'

const compress = promisify(deflateRaw)
const expand = promisify(inflateRaw)

/** A trace is at most 128 KiB; JSON escapes control characters by six. */
const maxOutputLength = 2 * 1024 * 1024

type Packed = {
  leftOut: number
  messages: (Omit<TracedMessage, 'at'> & { at: number })[]
}

/** Off the main thread, and quickly rather than tightly. */
export async function packTrace({ messages, leftOut }: Omit<SipTrace, 'callId'>): Promise<Buffer> {
  const packed: Packed = {
    leftOut,
    messages: messages.map((message) => ({ ...message, at: message.at.getTime() })),
  }
  return await compress(Buffer.from(JSON.stringify(packed)), { level: constants.Z_BEST_SPEED })
}

export async function unpackTrace(bytes: Buffer): Promise<Omit<SipTrace, 'callId'>> {
  const { leftOut, messages } = JSON.parse((await expand(bytes, { maxOutputLength })).toString()) as Packed
  return { leftOut, messages: messages.map((message) => ({ ...message, at: new Date(message.at) })) }
}
