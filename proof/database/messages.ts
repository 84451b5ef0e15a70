/** PostgreSQL's protocol, as much as the gate needs: where messages end, what they run, and what the server answered. */

/** A group of messages that the server answers with one ReadyForQuery; `isSimple`: one Query message. */
export type Batch = { bytes: Buffer; text: string; isEnd: boolean; isSimple: boolean }

const ends = new Set(['Q', 'S', 'X'])

/** Cuts what a client writes into batches. The first message has no type: it starts the session. */
export function createBatchReader() {
  let rest: Buffer = Buffer.alloc(0)
  let isStarted = false
  /** How much of `rest` was looked at. */
  let looked = 0
  let text = ''
  /** Texts of prepared statements by their name. */
  const prepared = new Map<string, string>()

  function readText(type: string, body: Buffer) {
    if (type === 'Q') text += zeroEnded(body, 0)
    if (type === 'P') {
      const name = zeroEnded(body, 0)
      const query = zeroEnded(body, Buffer.byteLength(name) + 1)
      prepared.set(name, query)
    }
    if (type === 'B') {
      const portal = zeroEnded(body, 0)
      text += prepared.get(zeroEnded(body, Buffer.byteLength(portal) + 1)) ?? ''
    }
  }

  return (chunk: Buffer): Batch[] => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    const batches: Batch[] = []
    let batchFrom = 0
    for (let at = looked; ; looked = at) {
      const header = isStarted ? 5 : 4
      if (rest.length < at + header) break
      const length = rest.readInt32BE(at + header - 4) + header - 4
      if (rest.length < at + length) break
      const type = isStarted ? String.fromCharCode(rest[at] ?? 0) : 'Q'
      if (isStarted) readText(type, rest.subarray(at + header, at + length))
      isStarted = true
      at += length
      if (ends.has(type)) {
        const bytes = rest.subarray(batchFrom, at)
        batches.push({ bytes, text, isEnd: type === 'X', isSimple: type === 'Q' })
        text = ''
        batchFrom = at
      }
    }
    rest = rest.subarray(batchFrom)
    looked -= batchFrom
    return batches
  }
}

function zeroEnded(body: Buffer, from: number): string {
  return body.toString('utf8', from, body.indexOf(0, from))
}

export type Notification = { channel: string; payload: string }

/** An answer of the server: all up to ReadyForQuery, without notifications. */
export type Answer = { bytes: Buffer; status: string; tags: string[]; pid: number | undefined }

/** Messages that are no answer to anything. */
const isUnasked = (type: string) => type === 'N' || type === 'S'

/** Cuts what the server writes into answers. */
export function createAnswerReader() {
  let rest: Buffer = Buffer.alloc(0)
  let parts: Buffer[] = []
  let tags: string[] = []
  let pid: number | undefined
  let skipped = 0

  /** Leaves out so many messages of the next answer, up to an error. */
  function skip(messages: number) {
    skipped = messages
  }

  function read(chunk: Buffer): Answer[] {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    const answers: Answer[] = []
    let at = 0
    while (rest.length >= at + 5) {
      const length = rest.readInt32BE(at + 1) + 1
      if (rest.length < at + length) break
      const type = String.fromCharCode(rest[at] ?? 0)
      const message = rest.subarray(at, at + length)
      at += length
      if (type === 'E') skipped = 0
      if (skipped > 0 && !isUnasked(type)) {
        skipped -= 1
        continue
      }
      parts.push(message)
      if (type === 'C') tags.push(zeroEnded(message, 5))
      if (type === 'K') pid = message.readInt32BE(5)
      if (type === 'Z') {
        answers.push({ bytes: Buffer.concat(parts), status: String.fromCharCode(message[5] ?? 0), tags, pid })
        parts = []
        tags = []
      }
    }
    rest = rest.subarray(at)
    return answers
  }

  return { read, skip }
}

function frame(type: string, body: Buffer): Buffer {
  const bytes = Buffer.alloc(body.length + 5)
  bytes.write(type, 0)
  bytes.writeInt32BE(body.length + 4, 1)
  body.copy(bytes, 5)
  return bytes
}

export const queryMessage = (text: string) => frame('Q', Buffer.from(`${text}\0`))

export const parseMessage = (name: string, text: string) =>
  frame('P', Buffer.concat([Buffer.from(`${name}\0${text}\0`), Buffer.alloc(2)]))

/** Settings of the first message of a session that the server would measure in real time; the gate measures them in simulated time. */
const timeouts = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout']

/** A timeout of 0 is none; the message keeps its length. */
export function withoutTimeouts(startup: Buffer): Buffer {
  const bytes = Buffer.from(startup)
  for (const name of timeouts) {
    const at = bytes.indexOf(`\0${name}\0`)
    if (at < 0) continue
    const from = at + name.length + 2
    bytes.fill('0', from, bytes.indexOf(0, from))
  }
  return bytes
}

/** The error of a statement that was cancelled (57014) as that of one that waited too long for a lock (55P03). */
export function asLockTimeout(answer: Buffer): Buffer {
  return Buffer.from(answer.toString('latin1').replace('C57014\0', 'C55P03\0'), 'latin1')
}

/** Runs a prepared statement with values as text, in the unnamed portal, without Sync. */
export function bindMessages(name: string, values: readonly string[]): Buffer {
  const parts = [Buffer.from(`\0${name}\0`), uint16(0), uint16(values.length)]
  for (const value of values) parts.push(uint32(Buffer.byteLength(value)), Buffer.from(value))
  parts.push(uint16(0))
  return Buffer.concat([frame('B', Buffer.concat(parts)), frame('E', Buffer.alloc(5))])
}

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16BE(value)
  return bytes
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

export function notificationMessage({ channel, payload }: Notification): Buffer {
  return frame('A', Buffer.concat([Buffer.alloc(4), Buffer.from(`${channel}\0${payload}\0`)]))
}

/** What the server would answer to LISTEN. */
export const listenAnswer = Buffer.concat([frame('C', Buffer.from('LISTEN\0')), frame('Z', Buffer.from('I'))])
