/**
 * The whole service in a process that the crash matrix kills. It uses the fake engine, whose calls ring, are answered
 * and end by themselves. It delivers webhooks from the start, and takes calls once `registerPhone` was asked for.
 */
import { flushCompileCache } from 'node:module'
import { startApp } from '../../../src/app/start.ts'
import { verifyLedger } from '../../../src/billing/ledger/verify.ts'
import { findStrayReservations } from '../../../src/calls/events/pricing-store.ts'
import { readConfig } from '../../../src/config.ts'
import { createFakeEngine, type FakeEngine } from '../../../src/engine/fake.ts'
import type { ExtensionName } from '../../../src/engine/port.ts'
import { plusSeconds, systemClock } from '../../../src/kit/clock.ts'
import { createLog } from '../../../src/kit/process/log.ts'
import { answerParent } from '../ask.ts'
import { talkative } from './traffic.ts'

/** Simulated time that passed during blackouts. */
const ahead = Number(process.env.CLOCK_AHEAD_SECONDS ?? 0)
const now = () => plusSeconds(new Date(), ahead)
const longestMs = 150
const answeredShare = 0.8

let fake: FakeEngine | undefined
const app = await startApp(readConfig(process.env), {
  clock: { now, elapsed: systemClock.elapsed },
  log: createLog('error', { destination: process.stderr }),
  engine: (host) => {
    fake = createFakeEngine(host, {
      now,
      script({ callId, destination }) {
        if ('number' in destination && destination.number.endsWith(talkative))
          return ['rings', 'picksUp', 'answers']
        playCall(callId)
        return ['rings']
      },
    })
    return fake
  },
})

const atRandomTime = (run: () => void) => setTimeout(run, Math.random() * longestMs)

/** Most calls are answered; the others end unanswered. */
function playCall(callId: string) {
  atRandomTime(() => {
    fake?.pickUp(callId)
    if (Math.random() < answeredShare) atRandomTime(() => fake?.answer(callId))
    atRandomTime(() => atRandomTime(() => fake?.hangUpBy(callId, 'other')))
  })
}

const work = {
  url: () => app.url,
  /** The account that all processes use; returns its access token. */
  async openAccount(domain: string) {
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
  /** Findings of the ledger and reservation checks; empty when all is correct. */
  async verifyMoney(): Promise<string[]> {
    const { db } = app.services.base.store
    return [...(await verifyLedger(db)).findings, ...(await findStrayReservations(db))]
  },
  /** Registers the extension at this process, so that calls can be placed here. */
  registerPhone: (extension: ExtensionName) => fake?.register(extension),
}
export type ServiceWork = typeof work

answerParent(work)
// A killed process does not write its compile cache, and its replacement would start more slowly.
flushCompileCache()
process.send?.('ready')
