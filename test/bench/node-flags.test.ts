/** D443: the flags stand where Node needs them: in bin/ramal.js and heap-flags.ts, in children of benchmarks, and in the script `bench`. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { likeTheService } from '../../bench/parts/children.ts'
import { heapFlags } from '../../src/kit/process/heap-flags.ts'

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')

const [, youngHeap] = /^const youngHeap = '(--[^']+)'$/m.exec(read('bin/ramal.js')) ?? []
/** `--no-wasm-code-gc` only prevents a crash. */
const flagsOfHeap = [youngHeap, ...heapFlags.filter((flag) => flag !== '--no-wasm-code-gc')]

test('benchmarks have the heap limits of the service', () => {
  expect(youngHeap).toBeDefined()
  expect(likeTheService.flags).toEqual(expect.arrayContaining(flagsOfHeap))
  expect(JSON.parse(read('package.json')).scripts.bench.split(' ')).toEqual(
    expect.arrayContaining(flagsOfHeap),
  )
})
