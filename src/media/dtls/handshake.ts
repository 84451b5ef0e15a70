/**
 * Handshake messages (RFC 6347, 4.2.2). Each may come in fragments, which are lost, repeated and reordered like all
 * datagrams.
 *
 *   type 1 | length 3 | message number 2 | fragment offset 3 | fragment length 3 | fragment
 */
export const messageType = {
  clientHello: 1,
  serverHello: 2,
  certificate: 11,
  serverKeyExchange: 12,
  certificateRequest: 13,
  serverHelloDone: 14,
  certificateVerify: 15,
  clientKeyExchange: 16,
  finished: 20,
} as const

const headerLength = 12
/** Room for a chain of certificates; a hostile length must not reserve more. */
const maxLength = 16_384
/** Messages ahead of the next one, of which fragments are kept. */
const maxAhead = 8

/** `whole` is the message as one fragment, as it counts for the hash of the handshake. */
export type HandshakeMessage = { type: number; number: number; body: Buffer; whole: Buffer }

export function writeMessage(type: number, number: number, body: Buffer): HandshakeMessage {
  const whole = Buffer.alloc(headerLength + body.length)
  writeHeader(whole, { type, length: body.length, number, offset: 0, fragmentLength: body.length })
  body.copy(whole, headerLength)
  return { type, number, body, whole }
}

/** The message in fragments of at most so many octets. */
export function fragmentsOf({ type, number, body }: HandshakeMessage, maxFragment: number): Buffer[] {
  const fragments: Buffer[] = []
  for (let offset = 0; offset === 0 || offset < body.length; offset += maxFragment) {
    const part = body.subarray(offset, offset + maxFragment)
    const fragment = Buffer.alloc(headerLength + part.length)
    writeHeader(fragment, { type, length: body.length, number, offset, fragmentLength: part.length })
    part.copy(fragment, headerLength)
    fragments.push(fragment)
  }
  return fragments
}

type Header = { type: number; length: number; number: number; offset: number; fragmentLength: number }

function writeHeader(into: Buffer, { type, length, number, offset, fragmentLength }: Header) {
  into.writeUInt8(type, 0)
  into.writeUIntBE(length, 1, 3)
  into.writeUInt16BE(number, 4)
  into.writeUIntBE(offset, 6, 3)
  into.writeUIntBE(fragmentLength, 9, 3)
}

type Partial = { type: number; body: Buffer; has: Uint8Array; missing: number }

/** Puts the fragments together, and returns the messages in order. */
export function createReassembly() {
  const partials = new Map<number, Partial>()
  let next = 0

  /** Takes the fragments of one record. `isRepeated`: one was of a message that was complete already. */
  function take(fragments: Buffer): { messages: HandshakeMessage[]; isRepeated: boolean } {
    let isRepeated = false
    for (let at = 0; at + headerLength <= fragments.length; ) {
      const header = readHeader(fragments, at)
      const start = at + headerLength
      at = start + header.fragmentLength
      if (at > fragments.length || header.offset + header.fragmentLength > header.length) break
      if (header.number < next) isRepeated = true
      else add(header, fragments.subarray(start, at))
    }
    return { messages: [...complete()], isRepeated }
  }

  function add({ type, length, number, offset }: Header, fragment: Buffer) {
    if (length > maxLength || number >= next + maxAhead) return
    const partial = partials.get(number) ?? {
      type,
      body: Buffer.alloc(length),
      has: new Uint8Array(length),
      missing: length,
    }
    if (partial.type !== type || partial.body.length !== length) return
    partials.set(number, partial)
    fragment.copy(partial.body, offset)
    for (let at = offset; at < offset + fragment.length; at += 1) {
      if (partial.has[at] === 0) partial.missing -= 1
      partial.has[at] = 1
    }
  }

  function* complete() {
    for (let partial = partials.get(next); partial?.missing === 0; partial = partials.get(next)) {
      partials.delete(next)
      yield writeMessage(partial.type, next, partial.body)
      next += 1
    }
  }

  return { take }
}

function readHeader(from: Buffer, at: number): Header {
  return {
    type: from.readUInt8(at),
    length: from.readUIntBE(at + 1, 3),
    number: from.readUInt16BE(at + 4),
    offset: from.readUIntBE(at + 6, 3),
    fragmentLength: from.readUIntBE(at + 9, 3),
  }
}
