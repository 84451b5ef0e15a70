/** Hostile HTTP requests, most of them from the API description: `npm run fuzz:http -- --requests 1000000 --seed 1`. */
import { parseArgs } from 'node:util'
import { fuzzHttp } from './parts/http-attack/fuzz.ts'

const { values } = parseArgs({
  options: { requests: { type: 'string', default: '100000' }, seed: { type: 'string', default: '1' } },
})
const [requests, seed] = [Number(values.requests), Number(values.seed)]
if (!(requests > 0) || !Number.isInteger(seed)) throw new Error('--requests and --seed are numbers')
const start = performance.now()
const say = (line: string) => void process.stdout.write(`${line}\n`)

const { usedMb, rssMb, statuses, succeeded, operations, problems } = await fuzzHttp({
  requests,
  seed,
  onProgress: (sent) => sent % 50_000 === 0 && say(`${sent} sent`),
})
say(`seed ${seed}: ${requests} requests in ${((performance.now() - start) / 1000).toFixed(0)} s`)
const range = ({ afterTenth, atEnd }: typeof rssMb) => `${afterTenth.toFixed(0)} to ${atEnd.toFixed(0)} MB`
say(`used memory ${range(usedMb)}, process ${range(rssMb)}`)
say(`${succeeded} of ${operations} operations succeeded at least once`)
for (const [status, count] of Object.entries(statuses).toSorted()) say(`  ${status}: ${count}`)
for (const problem of problems) process.stderr.write(`${problem}\n`)
process.exitCode = problems.length > 0 ? 1 : 0
