/**
 * `npm run scale`: writes docs/scale.md from docs/capacity.json. With `--calls N`, and what else is different
 * (--length, --browsers, --phones, --register-every, --deliveries, --requests, --hours), it prints the table of that load instead.
 */
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { readCosts } from './parts/scale/costs.ts'
import { scalePage, scaleTable } from './parts/scale/page.ts'
import { usualLoad } from './parts/scale/sizing.ts'

const text = { type: 'string' } as const
const { values } = parseArgs({
  options: {
    calls: text,
    length: text,
    browsers: text,
    phones: text,
    'register-every': text,
    deliveries: text,
    requests: text,
    hours: text,
  },
})

function read(name: keyof typeof values, fallback: number): number {
  const value = Number(values[name] ?? fallback)
  if (!(value >= 0) || (['calls', 'length', 'register-every'].includes(name) && value === 0)) {
    process.stderr.write(`--${name} must be a number above 0\n`)
    process.exit(2)
  }
  return value
}

if (values.calls === undefined) {
  writeFileSync(new URL('../docs/scale.md', import.meta.url), scalePage(readCosts()))
} else {
  const load = {
    callsAtOnce: read('calls', 0),
    length: read('length', usualLoad.length),
    browsers: read('browsers', usualLoad.browsers),
    phonesPerCall: read('phones', usualLoad.phonesPerCall),
    registerEvery: read('register-every', usualLoad.registerEvery),
    deliveriesPerCall: read('deliveries', usualLoad.deliveriesPerCall),
    requestsPerCall: read('requests', usualLoad.requestsPerCall),
    busyHours: read('hours', usualLoad.busyHours),
  }
  process.stdout.write(scaleTable(load, readCosts()))
}
