/** The engine's contract with an Asterisk at both ends: one is the phone, the other the carrier. */
import { afterAll, beforeAll, describe } from 'vitest'
import { describeEngine, type World } from '../../../src/engine/contract-suite.ts'
import type { Registration } from '../../../src/engine/port.ts'
import { destination, domain, passwordOf } from '../engine/test-host.ts'
import { type Asterisk, asteriskMissing, startAsterisk } from '../peers/asterisk.ts'
import { atAsterisk } from '../worlds/at-asterisk.ts'
import { extension, lacking, openContractWorld } from '../worlds/contract-world.ts'

const { number } = extension
const desk = { number: 'desk', talks: 'talk' }
const testHost = { number: destination, talks: 'talk' }

let carrier: Asterisk
/** Registers once; the engines after the first know it as one does after a restart. */
let phone: Asterisk | undefined
let known: Registration | undefined

async function makeWorld(): Promise<World> {
  const world = await openContractWorld({
    carrierPort: carrier.port,
    known,
    async enter({ server }) {
      phone ??= await startPhone(server)
      const peers = [phone, carrier]
      return {
        atExtension: atAsterisk(phone, desk),
        atDestination: atAsterisk(carrier, testHost),
        leave: () => Promise.all(peers.map(({ allEnded }) => allEnded())),
      }
    },
  })
  known = world.engine.registration(extension)
  return world
}

async function startPhone(server: string): Promise<Asterisk> {
  return await startAsterisk({
    acts: { desk: { rings: 'for ever' }, talk: { hertz: 440 } },
    lines: [{ username: number, password: passwordOf(number), domain, server, answersAs: desk.number }],
  })
}

describe.skipIf(asteriskMissing())('with Asterisk', () => {
  beforeAll(async () => {
    carrier = await startAsterisk({ acts: { [destination]: { rings: 'for ever' }, talk: { hertz: 1000 } } })
  })
  afterAll(async () => {
    await Promise.all([phone?.stop(), carrier?.stop()])
  })

  describeEngine('The embedded engine', makeWorld, { cannot: lacking })
})
