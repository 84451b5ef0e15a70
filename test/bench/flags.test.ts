/** D443: benchmarks measure the service with the flags that it runs with. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { likeTheService } from '../../bench/parts/children.ts'

const read = (path: string) => readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), 'utf8')
/** Flags about the heap; the others change nothing that is measured. */
const flagsIn = (text: string) =>
  text.match(/--(?:max-semi-space-size|heap-growing-percent|no-allocation-site-pretenuring)(?:=\d+)?/g)

test('the flags about the heap are the same in bin/ramal.js, in `npm run bench` and in its child processes', () => {
  const flags = flagsIn(read('bin/ramal.js'))
  expect(flags).toHaveLength(3)
  expect(flagsIn(JSON.parse(read('package.json')).scripts.bench)).toEqual(flags)
  expect(flagsIn(likeTheService.flags.join(' '))).toEqual(flags)
})
