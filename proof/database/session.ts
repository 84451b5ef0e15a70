/** One connection of a simulated process: a stream for the driver on one side, a socket of the real server on the other. */
import { connect, type Socket } from 'node:net'
import { Duplex } from 'node:stream'
import { inside } from '../sim/globals.ts'
import type { Owner } from '../sim/scheduler.ts'
import { type Answer, type Batch, createAnswerReader, createBatchReader } from './messages.ts'
import type { Preamble } from './session-clock.ts'

export type Session = {
  owner: Owner
  stream: Duplex
  /** Batches that were sent and have not reached the server. */
  sent: Batch[]
  /** Channels that it listens to. */
  channels: Set<string>
  pid: number | undefined
  /** As of ReadyForQuery: I idle, T in a transaction, E in a failed one. */
  status: string
  /** Packets are dropped in both directions, without any error at either end. */
  isSilent: boolean
  isClosed: boolean
  /** Opens the connection to the server. */
  open(): Promise<void>
  /** Sends a batch; resolves with its answer, undefined if the server closed the connection. */
  run(bytes: Buffer, preamble?: Preamble): Promise<Answer | undefined>
  /** To the driver. */
  deliver(bytes: Buffer): void
  connected(): void
  /** For the driver the connection is lost; without an error it ends in order. */
  lose(error?: Error): void
  /** Resolves when the server has closed the connection. */
  gone(): Promise<void>
}

type Deps = {
  owner: Owner
  socketPath: string
  onConnect(session: Session): void
  onSent(session: Session): void
  /** The driver closed it. */
  onClosed(session: Session): void
}

export function createSession({ owner, socketPath, onConnect, onSent, onClosed }: Deps): Session {
  const readBatches = createBatchReader()
  let socket: Socket | undefined
  let answers: Answer[] = []
  let wanted = 0
  let resolve: ((answer: Answer | undefined) => void) | undefined
  let bytesRead = 0
  const fromServer = createAnswerReader()

  function settle(result: Answer | undefined) {
    const done = resolve
    resolve = undefined
    done?.(result)
  }

  const stream = new Duplex({
    read() {},
    write(chunk: Buffer, _encoding, done) {
      const batches = readBatches(chunk)
      const isFirst = session.sent.length === 0
      session.sent.push(...batches)
      // One on its way fetches those behind it.
      if (isFirst && batches.length > 0) onSent(session)
      done()
    },
    destroy(error, done) {
      session.isClosed = true
      onClosed(session)
      done(error)
    },
  })
  Object.assign(stream, {
    connect: () => onConnect(session),
    setNoDelay: () => stream,
    setKeepAlive: () => stream,
    ref: () => stream,
    unref: () => stream,
  })
  Object.defineProperty(stream, 'bytesRead', { get: () => bytesRead })

  const session: Session = {
    owner,
    stream,
    sent: [],
    channels: new Set(),
    pid: undefined,
    status: 'I',
    isSilent: false,
    isClosed: false,
    async open() {
      const opened = connect(socketPath)
      socket = opened
      opened.on('data', (chunk) => {
        answers.push(...fromServer.read(chunk))
        if (answers.length < wanted) return
        const last = answers.at(-1)
        answers = []
        settle(last)
      })
      opened.on('error', () => {})
      opened.on('close', () => settle(undefined))
      await new Promise<void>((done, fail) => {
        opened.once('connect', done)
        opened.once('error', fail)
      })
    },
    async run(bytes, preamble) {
      if (!socket || socket.destroyed) return undefined
      wanted = (preamble?.answers ?? 0) + 1
      fromServer.skip(preamble?.messages ?? 0)
      const answered = new Promise<Answer | undefined>((done) => {
        resolve = done
      })
      socket.write(preamble ? Buffer.concat([preamble.bytes, bytes]) : bytes)
      return await answered
    },
    deliver(bytes) {
      bytesRead += bytes.length
      inside(owner, () => stream.push(bytes))
    },
    connected: () => inside(owner, () => void stream.emit('connect')),
    lose(error) {
      if (session.isClosed) return
      inside(owner, () => {
        if (!error) stream.push(null)
        stream.destroy(error)
      })
    },
    async gone() {
      if (!socket || socket.closed) return
      const closed = new Promise<void>((done) => socket?.once('close', () => done()))
      // Without a process id it has not even begun to log in.
      if (session.pid === undefined) socket.destroy()
      await closed
    },
  }
  return session
}
