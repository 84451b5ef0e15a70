/** The engine's contract with a baresip at both ends. */
import { describe } from 'vitest'
import { describeEngine, type World } from '../../../src/engine/contract-suite.ts'
import { programMissing } from '../../helpers/programs/programs.ts'
import { destination, domain, passwordOf } from '../engine/test-host.ts'
import { type Baresip, startBaresip } from '../peers/baresip.ts'
import { atBaresip } from '../worlds/at-baresip.ts'
import { extension, lacking, openContractWorld } from '../worlds/contract-world.ts'

async function makeWorld(): Promise<World> {
  const carrier = await startBaresip({ domain: 'carrier.test', extension: destination, hertz: 1000 })
  return await openContractWorld({
    carrierPort: carrier.port,
    async enter({ server }) {
      const password = passwordOf(extension.number)
      const phone = await startBaresip({ server, domain, extension: extension.number, password })
      return {
        atExtension: atBaresip(phone),
        atDestination: atBaresip(carrier),
        leave: () => Promise.all([phone, carrier].map(remove)),
      }
    },
  })
}

/** Without farewells: the engine is gone already, and no call was left behind. */
async function remove(baresip: Baresip) {
  if (baresip.events.some(({ type }) => type === 'CALL_INCOMING')) await baresip.closed()
  await baresip.die()
  await baresip.stop()
}

describe.skipIf(programMissing('baresip'))('with baresip', () => {
  describeEngine('The embedded engine', makeWorld, { refusals: ['busy'], cannot: lacking })
})
