/** Standard output of the process, for logs: buffered, and complete when the process exits. */
import { pino } from 'pino'

export const standardOutputFd = 1
/** Lines are buffered and written at least this often. */
const flushMs = 200
/** Each write wakes another thread, which costs more than the lines of a hundred requests. */
const bufferedLength = 65_536

let ofProcess: ReturnType<typeof openStandardOutput> | undefined

/** One for all logs of the process. */
export function standardOutput() {
  ofProcess ??= openStandardOutput()
  return ofProcess
}

/**
 * Hands the lines of a turn of the event loop to the stream as one buffer. Of text, the stream would measure all that it
 * holds again with each line; and a buffer for each line costs as much as composing it.
 */
function openStandardOutput() {
  const stream = pino.destination({
    dest: standardOutputFd,
    sync: false,
    contentMode: 'buffer',
    minLength: bufferedLength,
    maxWrite: 2 * bufferedLength,
    periodicFlush: flushMs,
  })
  const write = stream.write.bind(stream) as unknown as (lines: Buffer) => boolean
  let lines = ''

  function handOver() {
    if (lines !== '') write(Buffer.from(lines))
    lines = ''
  }

  process.on('exit', () => {
    if (lines === '') return
    handOver()
    stream.flushSync()
  })

  return {
    write(line: string) {
      if (lines === '') setImmediate(handOver)
      lines += line
    },
    flush(onFlushed?: (error?: Error) => void) {
      handOver()
      stream.flush(onFlushed)
    },
  }
}
