/** `npm run capacity -- [part…]`: measures what this machine carries and writes docs/capacity.md. */
import { deliveryCapacity } from './parts/capacity/deliveries.ts'
import { httpCapacity } from './parts/capacity/http.ts'
import type { Capacity } from './parts/capacity/ramp.ts'
import { savePart } from './parts/capacity/report.ts'
import { recordedCapacity, registrationCapacity, setUpCapacity } from './parts/capacity/voice.ts'

const parts: Record<string, () => Promise<Capacity[]>> = {
  http: httpCapacity,
  setups: setUpCapacity,
  recorded: recordedCapacity,
  registrations: registrationCapacity,
  deliveries: deliveryCapacity,
}

const given = process.argv.slice(2)
const names = given.length > 0 ? given : Object.keys(parts)
const unknown = names.filter((name) => !Object.hasOwn(parts, name))

if (unknown.length > 0) {
  process.stderr.write(`No part ${unknown.join(', ')}. There are: ${Object.keys(parts).join(', ')}\n`)
  process.exitCode = 2
} else {
  await measureAll()
}

/** A part that fails leaves its last figures on the page. */
async function measureAll() {
  for (const name of names) {
    const began = performance.now()
    process.stderr.write(`${name} … `)
    try {
      savePart(name, (await parts[name]?.()) ?? [])
      process.stderr.write(`${((performance.now() - began) / 1000).toFixed(0)} s\n`)
    } catch (error) {
      process.exitCode = 1
      process.stderr.write(`failed: ${error instanceof Error ? error.stack : error}\n`)
    }
  }
}
