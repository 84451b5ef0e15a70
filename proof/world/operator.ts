/** The operator of the service gives credit, takes it back, and refunds charges. */
import type { HttpAnswer } from '../sim/service-process.ts'
import { maxAttempts, statusOf, type WhileBusy } from './answers.ts'
import type { Office } from './office.ts'
import type { World } from './world.ts'

export const operatorToken = 'token-of-the-simulated-operator'
const reason = 'asked for by the customer'
/** Centavos. */
const maxCredit = 400

type Deps = { world: World; offices: Office[]; whileBusy: WhileBusy }

export function createOperator({ world, offices, whileBusy }: Deps) {
  const { scheduler, random, history } = world

  const send = (path: string, body: unknown) =>
    world.anyApi({
      method: 'POST',
      url: `/operator/api/accounts/${path}`,
      headers: { authorization: `Bearer ${operatorToken}`, 'content-type': 'application/json' },
      payload: JSON.stringify(body),
    })

  /** An operator without an answer, or with a 5xx, sends the request again. */
  async function persist(ask: () => Promise<HttpAnswer>) {
    for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
      const { status } = await ask()
      if (status === 200 || (status >= 400 && status < 500)) return
      await world.wait(1_000 + random.next() * 3_000)
    }
  }

  /** The same key is sent twice now and then. */
  async function giveCredit() {
    const office = random.pick(offices)
    if (!office) return
    const account = office.domain
    const amount = (random.next() < 0.3 ? -1 : 1) * (1 + random.below(maxCredit))
    const key = `credit-${scheduler.now()}`
    const ask = async () => {
      const answer = await send(`${account}/credit`, { amount: amount / 100, reason, key })
      history.push({ kind: 'credit', at: scheduler.now(), account, key, amount, ...statusOf(answer) })
      return answer
    }
    await Promise.all(random.next() < 0.3 ? [persist(ask), persist(ask)] : [persist(ask)])
  }

  /** Refunds a charge of an account in which refunds are simulated. */
  async function refund() {
    const paid = history.filter((entry) => entry.kind === 'charge')
    const { id, account } = random.pick(paid) ?? {}
    const office = offices.find(({ domain }) => domain === account)
    if (id === undefined || !office || office.isScarce) return
    await persist(async () => {
      const answer = await send(`${office.domain}/charges/${id}/refund`, { reason })
      history.push({
        kind: 'refund',
        at: scheduler.now(),
        account: office.domain,
        charge: id,
        ...statusOf(answer),
      })
      return answer
    })
  }

  return {
    giveCredit: () => whileBusy(giveCredit),
    refund: () => whileBusy(refund),
  }
}
