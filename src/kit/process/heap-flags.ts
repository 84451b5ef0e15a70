/**
 * D443: flags of V8 that are set once the service runs. On the command line they cost each start 60 ms: V8 then refuses the
 * code of Node's own modules, which Node brings along compiled with the flags it has by default.
 */
import { setFlagsFromString } from 'node:v8'

/** The last one prevents an abort (nodejs/node#64500); what the others save stands in D443. */
export const heapFlags = [
  '--heap-growing-percent=80',
  '--no-allocation-site-pretenuring',
  '--no-wasm-code-gc',
] as const

export function setHeapFlags() {
  for (const flag of heapFlags) setFlagsFromString(flag)
}
