/** D443: the flags stand where Node needs them: in bin/ramal.js, in children of benchmarks, and in the script `bench`. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { likeTheService } from '../../bench/parts/children.ts'

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')

/** `--no-wasm-code-gc` only prevents a crash. */
const flagsOfHeap = [...read('bin/ramal.js').matchAll(/^ {2}'(--[^']+)',$/gm)]
  .map(([, flag = '']) => flag)
  .filter((flag) => flag !== '--no-wasm-code-gc')

test('benchmarks have the heap limits of the service', () => {
  expect(flagsOfHeap).toHaveLength(3)
  expect(likeTheService.flags).toEqual(expect.arrayContaining(flagsOfHeap))
  expect(JSON.parse(read('package.json')).scripts.bench.split(' ')).toEqual(
    expect.arrayContaining(flagsOfHeap),
  )
})
