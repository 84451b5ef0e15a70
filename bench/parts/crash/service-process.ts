/**
 * The whole service in a process that is there to be killed. Its telephony is the fake, whose calls ring, are answered
 * and end by themselves; it carries some only once it is asked to, and delivers from the start.
 */
import { flushCompileCache } from 'node:module'
import { startApp } from '../../../src/app/start.ts'
import { verifyLedger } from '../../../src/billing/ledger/verify.ts'
import { readConfig } from '../../../src/config.ts'
import { createFakeEngine, type FakeEngine } from '../../../src/engine/fake.ts'
import type { ExtensionName } from '../../../src/engine/port.ts'
import { plusSeconds } from '../../../src/kit/clock.ts'
import { createLog } from '../../../src/kit/log.ts'
import { findStrayReservations } from '../../../src/voice/pricing-store.ts'
import { answerParent } from '../ask.ts'

/** Time that has passed while everything was down. */
const ahead = Number(process.env.CLOCK_AHEAD_SECONDS ?? 0)
const now = () => plusSeconds(new Date(), ahead)
const longestMs = 150
const answeredShare = 0.8

let fake: FakeEngine | undefined
const app = await startApp(readConfig(process.env), {
  clock: { now },
  log: createLog('error', process.stderr),
  engine: (house) => {
    fake = createFakeEngine(house, {
      now,
      script({ callId }) {
        live(callId)
        return ['rings']
      },
    })
    return fake
  },
})

const soon = (run: () => void) => setTimeout(run, Math.random() * longestMs)

/** Most are answered; who does not wait for that has hung up. */
function live(callId: string) {
  soon(() => {
    fake?.pickUp(callId)
    if (Math.random() < answeredShare) soon(() => fake?.answer(callId))
    soon(() => soon(() => fake?.hangUpBy(callId, 'other')))
  })
}

const work = {
  url: () => app.url,
  /** An account, for all processes. */
  async open(domain: string) {
    const made = await app.services.accounts.signups.createActive({
      organizationName: 'Padaria',
      domain,
      email: `ana@${domain}`,
      password: 'correct horse battery',
      phone: '+55 48 3333-4444',
      crm: 'Outros',
      userQuantity: '1-5',
    })
    return made.more.id
  },
  /** What is wrong with the money, if anything. */
  async books(): Promise<string[]> {
    const { db } = app.services.base.store
    return [...(await verifyLedger(db)).findings, ...(await findStrayReservations(db))]
  },
  /** From now on calls may be placed here. */
  carry: (extension: ExtensionName) => fake?.register(extension),
}
export type HouseWork = typeof work

answerParent(work)
// Those who are killed leave nothing for the next to start quicker by.
flushCompileCache()
process.send?.('ready')
