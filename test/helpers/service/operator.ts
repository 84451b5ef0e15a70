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
export const addCredit = (
  { app }: InProcess,
  domain: string,
  centavos: number,
  { reason = 'test', reference = crypto.randomUUID() as string } = {},
) => app.services.money.ledger.adjust({ domain, amount: centavos, reason, reference })

/** `ramal account suspend`. */
export const suspend = ({ app }: InProcess, domain: string, revokesTokens = false) =>
  app.services.suspensions.suspend(domain, { reason: 'Unpaid invoice 4711', revokesTokens })

/** `ramal account release`. */
export const release = ({ app }: InProcess, domain: string) =>
  app.services.suspensions.release(domain, 'paid')

/** `ramal user second-factor off`. True if there was one, undefined if there is no such user. */
export const disableSecondFactor = ({ app }: InProcess, email: string) =>
  app.services.users.secondFactors.disableByOperator(email)

/** `ramal credit refund`. */
export const refundCharge = ({ app }: InProcess, id: number, reason: string) =>
  app.services.money.charges.refund(id, reason)

type NewAccount = Parameters<Service['app']['services']['accounts']['signups']['createActive']>[0]

/** `ramal account create`. Answers with the token that it prints. */
export async function createAccount({ app }: InProcess, account: NewAccount): Promise<{ token: string }> {
  const { more } = await app.services.accounts.signups.createActive(account)
  return { token: more.id }
}
