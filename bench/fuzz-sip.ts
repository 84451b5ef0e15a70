/** Hostile SIP messages over UDP, TCP and WebSocket: `npm run fuzz:sip -- --messages 1000000 --seed 1`. */
import { parseArgs } from 'node:util'
import { fuzzSip } from './parts/sip-attack/fuzz.ts'

const { values } = parseArgs({
  options: { messages: { type: 'string', default: '100000' }, seed: { type: 'string', default: '1' } },
})
const [messages, seed] = [Number(values.messages), Number(values.seed)]
if (!(messages > 0) || !Number.isInteger(seed)) throw new Error('--messages and --seed are numbers')
const start = performance.now()
const say = (line: string) => void process.stdout.write(`${line}\n`)

const { heapMb, rssMb, figures, problems } = await fuzzSip({
  messages,
  seed,
  onProgress: (sent) => sent % 100_000 === 0 && say(`${sent} sent`),
})
const range = ({ afterTenth, atEnd }: typeof heapMb) => `${afterTenth.toFixed(0)} to ${atEnd.toFixed(0)} MB`
say(`seed ${seed}: ${messages} messages in ${((performance.now() - start) / 1000).toFixed(0)} s`)
say(`heap ${range(heapMb)}, process ${range(rssMb)}`)
for (const [name, value] of Object.entries(figures)) if (name.startsWith('sip_')) say(`  ${name} ${value}`)
say(`  calls ${figures.calls_arrived_total}, at once ${figures.live_at_most}`)
for (const problem of problems) process.stderr.write(`${problem}\n`)
process.exitCode = problems.length > 0 ? 1 : 0
