/** `npm run mutate -- <area> [--jobs 2]`: mutants of an area, and those that no test noticed (D559). */
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { areas, canary } from './mutation/areas.ts'
import { canaryFaults, scoreOf, survivorsOf } from './mutation/results.ts'
import { runMutants } from './mutation/run-mutants.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    /** Mutants that are tested at once. */
    jobs: { type: 'string', default: String(availableParallelism()) },
  },
})
const say = (line: string) => process.stdout.write(`${line}\n`)
const [area] = positionals
if (area === undefined) {
  say(`npm run mutate -- canary|${Object.keys(areas).join('|')}`)
  process.exit(2)
}
const began = Date.now()
const mutants = await runMutants(area, Number(values.jobs))
const isCanary = ({ fileName }: { fileName: string }) => canary.mutated.includes(fileName)
const faults = canaryFaults(mutants.filter(isCanary))
const own = area === 'canary' ? mutants : mutants.filter((mutant) => !isCanary(mutant))
for (const line of survivorsOf(own, (path) => readFileSync(path, 'utf8'))) say(line)
say(JSON.stringify({ area, seconds: Math.round((Date.now() - began) / 1000), ...scoreOf(own) }))
for (const fault of faults) say(`the set-up is broken: ${fault}`)
process.exit(faults.length > 0 ? 1 : 0)
