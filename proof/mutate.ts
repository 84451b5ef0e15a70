/** `npm run mutate -- <area>`: mutants of an area, and those that no test noticed (D559, D566). */
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { areas, areasOf, canary } from './mutation/areas.ts'
import { canaryFaults, type Mutant, scoreOf, survivorsOf, unusedFiles } from './mutation/results.ts'
import { runArea } from './mutation/run-area.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    /** Begin anew, also if the code has not changed since the last run. */
    again: { type: 'boolean', default: false },
  },
})
const say = (line: string) => process.stdout.write(`${line}\n`)
const [wanted = ''] = positionals
const names = wanted === 'canary' ? ['canary'] : areasOf(wanted)
if (names.length === 0) {
  say(`npm run mutate -- canary|${Object.keys(areas).join('|')}`)
  process.exit(2)
}
const began = Date.now()
const isCanary = ({ fileName }: Mutant) => canary.mutated.includes(fileName)
const faults: string[] = []
const all: Mutant[] = []
for (const name of names) {
  const mutants = await runArea(name, values.again)
  faults.push(...canaryFaults(mutants.filter(isCanary)), ...unusedFiles(mutants))
  all.push(...mutants.filter((mutant) => name === 'canary' || !isCanary(mutant)))
}
for (const line of survivorsOf(all, (path) => readFileSync(path, 'utf8'))) say(line)
say(JSON.stringify({ area: wanted, seconds: Math.round((Date.now() - began) / 1000), ...scoreOf(all) }))
for (const fault of faults) say(`the set-up is broken: ${fault}`)
process.exit(faults.length > 0 ? 1 : 0)
