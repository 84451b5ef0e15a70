/** Sends bytes over a socket and reads the HTTP answers, however they are framed. */
import { connect, type Socket } from 'node:net'

export type Answer = { status: number; headers: Map<string, string>; body: Buffer }

/** What came of a request: an answer, or how its connection ended without one. */
export type Outcome = Answer | 'closed' | 'silent'

const patienceMs = 20_000
/** For bytes after which the server rightly waits for more. */
const shortPatienceMs = 1_000

/** A keep-alive connection for one request at a time; it is opened again when the server closed it. */
export function createRequester(port: number) {
  let socket: Socket | undefined

  function exchange(bytes: Buffer, method: string): Promise<Outcome> {
    const used = socket && !socket.destroyed && socket.writable ? socket : open()
    return new Promise((resolve) => {
      let received: Buffer = Buffer.alloc(0)
      const end = (outcome: Outcome) => {
        clearTimeout(late)
        used.removeListener('data', take)
        used.removeListener('close', close)
        const isOver = typeof outcome === 'string' || outcome.headers.get('connection') === 'close'
        if (isOver || isStream(outcome.headers)) used.destroy()
        resolve(outcome)
      }
      const take = (chunk: Buffer) => {
        received = Buffer.concat([received, chunk])
        const answer = readAnswer(received, method)
        if (answer) end(answer)
      }
      const close = () => end(readAnswer(received, method) ?? 'closed')
      const late = setTimeout(() => end('silent'), patienceMs)
      used.on('data', take)
      used.on('close', close)
      used.write(bytes)
    })
  }

  function open(): Socket {
    socket = connect({ port, host: '127.0.0.1', noDelay: true })
    socket.on('error', () => {})
    return socket
  }

  return { exchange, close: () => void socket?.destroy() }
}
export type Requester = ReturnType<typeof createRequester>

/** Everything the server sends in return on a connection of its own. */
export function sendMalformed(port: number, bytes: Buffer): Promise<Buffer> {
  return new Promise((resolve) => {
    const received: Buffer[] = []
    const socket = connect({ port, host: '127.0.0.1' })
    const late = setTimeout(() => socket.destroy(), shortPatienceMs)
    socket.on('data', (chunk) => received.push(chunk))
    socket.on('error', () => {})
    socket.on('close', () => {
      clearTimeout(late)
      resolve(Buffer.concat(received))
    })
    socket.end(bytes)
  })
}

/** Undefined while the answer is incomplete. */
export function readAnswer(bytes: Buffer, method: string): Answer | undefined {
  const headEnd = bytes.indexOf('\r\n\r\n')
  if (headEnd < 0) return undefined
  const [first = '', ...lines] = bytes.toString('latin1', 0, headEnd).split('\r\n')
  const status = Number(first.slice(9, 12))
  const content = bytes.subarray(headEnd + 4)
  if (status < 200) return readAnswer(content, method)
  const headers = new Map(
    lines.map((line) => [
      line.split(':', 1)[0]?.toLowerCase() ?? '',
      line.slice(line.indexOf(':') + 1).trim(),
    ]),
  )
  const hasBody = method !== 'HEAD' && status !== 204 && status !== 304
  // A stream has no end: its head is the answer.
  if (!hasBody || isStream(headers)) return { status, headers, body: Buffer.alloc(0) }
  if (headers.get('transfer-encoding') === 'chunked') {
    const body = readChunks(content)
    return body && { status, headers, body }
  }
  const length = Number(headers.get('content-length') ?? 0)
  return content.length < length ? undefined : { status, headers, body: content.subarray(0, length) }
}

function isStream(headers: Map<string, string>): boolean {
  return headers.get('content-type')?.startsWith('text/event-stream') ?? false
}

function readChunks(content: Buffer): Buffer | undefined {
  const chunks: Buffer[] = []
  for (let at = 0; ; ) {
    const lineEnd = content.indexOf('\r\n', at)
    if (lineEnd < 0) return undefined
    const length = Number.parseInt(content.toString('latin1', at, lineEnd), 16)
    const end = lineEnd + 2 + length
    if (content.length < end + 2) return undefined
    if (length === 0) return Buffer.concat(chunks)
    chunks.push(content.subarray(lineEnd + 2, end))
    at = end + 2
  }
}
