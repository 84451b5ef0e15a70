import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { udpKinds, whyNot } from '../udp/choose-udp.ts'

const threads = 12
const exits = 4

const endingThreads = new URL('../testing/ending-threads.ts', import.meta.url)
const exitWhileLoading = new URL('../testing/exit-while-loading.ts', import.meta.url)

const run = (program: URL, args: string[] = []) =>
  once(fork(fileURLToPath(program), args, { execArgv: ['--no-wasm-code-gc'] }), 'exit')

test.each(udpKinds.filter((kind) => !whyNot(kind)))(
  'D636: threads that end while they load or relay, or with their process, crash nothing (%s)',
  async (kind) => {
    const firstPort = 46_000 + (process.pid % 500) * 40
    const args = [kind, String(threads), String(firstPort)]
    expect(await run(endingThreads, args)).toEqual([0, null])
  },
  120_000,
)

test.skipIf(whyNot('epoll') !== undefined)(
  'D636: a process that exits while a media thread loads the library of its sockets does not crash',
  async () => {
    for (let n = 0; n < exits; n += 1) expect(await run(exitWhileLoading)).toEqual([0, null])
  },
  120_000,
)
