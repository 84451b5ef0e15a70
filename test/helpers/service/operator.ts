/** What an operator does at the command line, on the service that runs in the test's process. */
import type { LimitChange } from '../../../src/limits/limits.ts'
import type { Service } from './service.ts'

type InProcess = Pick<Service, 'app'>

/** `ramal number assign`. */
export const assignNumber = ({ app }: InProcess, number: string, domain: string) =>
  app.services.extensions.numberAssignments.assign(number, domain)

/** `ramal number release`. */
export const releaseNumber = ({ app }: InProcess, number: string) =>
  app.services.extensions.numberAssignments.release(number)

/** `ramal account limits`. */
export const changeLimits = ({ app }: InProcess, domain: string, change: LimitChange) =>
  app.services.limits.limits.change(domain, change)

/** `ramal credit add`: a negative amount takes credit away. */
export const addCredit = ({ app }: InProcess, domain: string, centavos: number) =>
  app.services.money.ledger.adjust({
    domain,
    amount: centavos,
    reason: 'test',
    reference: crypto.randomUUID(),
  })

/** `ramal account suspend`. */
export const suspend = ({ app }: InProcess, domain: string, revokesTokens = false) =>
  app.services.suspensions.suspend(domain, { reason: 'Unpaid invoice 4711', revokesTokens })

/** `ramal account release`. */
export const release = ({ app }: InProcess, domain: string) =>
  app.services.suspensions.release(domain, 'paid')
