/**
 * `npm run capacity -- [part…] [--show]`: measures what this machine carries and writes docs/capacity.md. Each part takes
 * some minutes and keeps its figures, so that parts can be measured one by one; --show writes the page again from
 * what was measured. `lists` inserts ten million calls first, which BENCH_FOLDER keeps; `stored` uses those, or inserts a
 * million.
 */
import { parseArgs } from 'node:util'
import { deliveryCapacity } from './parts/capacity/deliveries.ts'
import { accountCapacity, httpCapacity, storedCapacity } from './parts/capacity/http.ts'
import { measureLists } from './parts/capacity/lists.ts'
import { recordedCapacity } from './parts/capacity/recorded.ts'
import { registrationCapacity } from './parts/capacity/registrations.ts'
import { type Figures, partNames, savePart, writePage } from './parts/capacity/report.ts'
import { setUpCapacity } from './parts/capacity/setups.ts'
import { soundCapacity } from './parts/capacity/sound.ts'

const parts: Record<(typeof partNames)[number], () => Promise<Figures>> = {
  api: async () => ({ capacities: await httpCapacity() }),
  accounts: async () => ({ capacities: await accountCapacity() }),
  stored: async () => ({ capacities: await storedCapacity() }),
  deliveries: async () => ({ capacities: await deliveryCapacity() }),
  setups: async () => ({ capacities: await setUpCapacity() }),
  recorded: async () => ({ capacities: await recordedCapacity() }),
  sound: async () => ({ capacities: await soundCapacity() }),
  registrations: async () => ({ capacities: await registrationCapacity() }),
  lists: measureLists,
}

const { positionals, values } = parseArgs({
  options: { show: { type: 'boolean', default: false } },
  allowPositionals: true,
})
const names = positionals.length > 0 || values.show ? positionals : partNames
const unknown = names.filter((name) => !Object.hasOwn(parts, name))

if (unknown.length > 0) {
  process.stderr.write(`No part ${unknown.join(', ')}. There are: ${partNames.join(', ')}\n`)
  process.exitCode = 2
} else {
  await measureAll()
  writePage()
}

/** A part that fails leaves its last figures on the page. */
async function measureAll() {
  for (const name of partNames.filter((one) => names.includes(one))) {
    const began = performance.now()
    process.stderr.write(`${name} … `)
    try {
      savePart(name, await parts[name]())
      process.stderr.write(`${((performance.now() - began) / 1000).toFixed(0)} s\n`)
    } catch (error) {
      process.exitCode = 1
      process.stderr.write(`failed: ${error instanceof Error ? error.stack : error}\n`)
    }
  }
}
