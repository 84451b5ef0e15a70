/** 10,000 connections and 30,000 datagrams a second for 30 s, while phones talk and register: `npm run flood:sip`. */
import { parseArgs } from 'node:util'
import { floodSip } from './parts/sip-attack/flood.ts'

const { values } = parseArgs({
  options: {
    connections: { type: 'string', default: '10000' },
    rate: { type: 'string', default: '30000' },
    seconds: { type: 'string', default: '30' },
  },
})
const say = (line: string) => void process.stdout.write(`${line}\n`)
const result = await floodSip({
  connections: Number(values.connections),
  datagramsPerSecond: Number(values.rate),
  seconds: Number(values.seconds),
})
say(`${result.opened} connections opened, ${result.sentPerSecond.toFixed(0)} datagrams a second sent`)
say(`a new phone registered after ${result.registeredAfterMs.toFixed(0)} ms`)
say(`${result.soundPerSecond.toFixed(1)} packets of sound a second, ${result.liveCalls} live calls`)
for (const [name, value] of Object.entries(result.figures)) {
  if (/^(sip|guard)_/.test(name)) say(`  ${name} ${value}`)
}
if (result.liveCalls !== 1 || result.soundPerSecond < 25) process.exitCode = 1
