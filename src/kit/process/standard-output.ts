/**
 * Standard output of the process, for logs: buffered, and complete when the process exits. A write that fails, because the
 * terminal was closed, the reader ended or the disk is full, is repeated and never ends the process: lines wait up to a
 * limit, further ones are dropped. (pino's own stream repeats such a write in an endless loop when the process exits.)
 */
import { constants, readFileSync, write, writeSync } from 'node:fs'

export const standardOutputFd = 1
/** Lines are buffered and written at least this often. */
const flushMs = 200
/** Each write wakes another thread, which costs more than the lines of a hundred requests. */
const bufferedBytes = 65_536
const maxWaitingBytes = 8 * 1024 * 1024
const retryMs = 50
/** How long the exit may wait for a slow reader. */
const maxExitMs = 5_000

let ofProcess: ReturnType<typeof openOutput> | undefined

/** One for all logs of the process. */
export function standardOutput() {
  ofProcess ??= openOutput(standardOutputFd)
  return ofProcess
}

function openOutput(fd: number) {
  let lines = ''
  const waiting: Buffer[] = []
  let waitingBytes = 0
  let isWriting = false
  let timer: NodeJS.Timeout | undefined

  /** The lines of a turn of the event loop as one buffer: a buffer for each line costs as much as composing it. */
  function handOver() {
    const added = Buffer.from(lines)
    lines = ''
    if (added.length === 0 || waitingBytes + added.length > maxWaitingBytes) return
    waiting.push(added)
    waitingBytes += added.length
    schedule()
  }

  function schedule() {
    if (waitingBytes >= bufferedBytes) writeNext()
    else if (waitingBytes > 0) timer ??= setTimeout(writeNext, flushMs).unref()
  }

  function writeNext() {
    clearTimeout(timer)
    timer = undefined
    if (isWriting || waitingBytes === 0) return
    isWriting = true
    const next = takeNext()
    if (isNonBlocking(fd)) onWritten(next, ...writtenAtOnce(fd, next))
    else write(fd, next, (error, written) => onWritten(next, error, written))
  }

  function onWritten(next: Buffer, error: unknown, written: number) {
    putBack(error ? next : next.subarray(written))
    // Until then the output counts as busy.
    if (error) setTimeout(goOn, retryMs).unref()
    else goOn()
  }

  function goOn() {
    isWriting = false
    schedule()
  }

  function takeNext(): Buffer {
    let count = 0
    let length = 0
    while (count < waiting.length && length < bufferedBytes) {
      length += waiting[count]?.length ?? 0
      count += 1
    }
    waitingBytes -= length
    return Buffer.concat(waiting.splice(0, count))
  }

  function putBack(rest: Buffer) {
    if (rest.length === 0) return
    waiting.unshift(rest)
    waitingBytes += rest.length
  }

  process.on('exit', () => {
    handOver()
    writeBeforeExit(fd, Buffer.concat(waiting))
  })

  return {
    write(line: string) {
      if (lines === '') setImmediate(handOver)
      lines += line
    },
    flush() {
      handOver()
      writeNext()
    },
  }
}

/**
 * Whether a full pipe refuses a write instead of delaying it, as it does once something has used `process.stdout`. Then no
 * other thread is needed to write, whose result would be unknown when the process exits meanwhile.
 */
function isNonBlocking(fd: number): boolean {
  try {
    const [, flags = '0'] = /flags:\s+(\d+)/.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8')) ?? []
    return (Number.parseInt(flags, 8) & constants.O_NONBLOCK) !== 0
  } catch {
    // Not Linux.
    return false
  }
}

function writtenAtOnce(fd: number, buffer: Buffer): [error: unknown, written: number] {
  try {
    return [undefined, writeSync(fd, buffer)]
  } catch (error) {
    return [error, 0]
  }
}

/** Waits for a slow reader, in vain for one that is gone. */
function writeBeforeExit(fd: number, buffer: Buffer) {
  let rest = buffer
  const until = performance.now() + maxExitMs
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(fd, rest))
    } catch (error) {
      const isBusy = error instanceof Error && 'code' in error && error.code === 'EAGAIN'
      if (!isBusy || performance.now() > until) return
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, retryMs)
    }
  }
}
