import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { udpKinds, whyNot } from '../udp/choose-udp.ts'

const program = fileURLToPath(new URL('../testing/ending-threads.ts', import.meta.url))
const threads = 12

test.each(udpKinds.filter((kind) => !whyNot(kind)))(
  'D636: threads that end while they load or relay, or with their process, crash nothing (%s)',
  async (kind) => {
    const firstPort = 46_000 + (process.pid % 500) * 40
    const child = fork(program, [kind, String(threads), String(firstPort)], {
      execArgv: ['--no-wasm-code-gc'],
    })
    expect(await once(child, 'exit')).toEqual([0, null])
  },
  120_000,
)
