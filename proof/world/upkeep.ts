/** Offices top up and change their extensions while they call. */
import { chooseLine, maxAttempts, read, statusOf, type WhileBusy } from './answers.ts'
import type { Office } from './office.ts'
import type { World } from './world.ts'

type Deps = { world: World; offices: Office[]; whileBusy: WhileBusy }

export function createUpkeep({ world, offices, whileBusy }: Deps) {
  const { scheduler, random, history } = world

  /** Tops the account up; a client that got no answer sends the same again. */
  async function topUp(office: Office, amount: number) {
    const key = `charge-${office.domain}-${scheduler.now()}`
    const dueDate = new Date(world.time().getTime() + 3 * 86_400_000).toISOString().slice(0, 10)
    const body = {
      paymentMethod: 'PIX',
      dueDate,
      amount: amount / 100,
      description: 'Crédito',
      metadata: { key },
    }
    for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
      const answer = await office.send('POST', '/charges', body, { 'idempotency-key': key })
      const id = read<number>(answer, 'id')
      history.push({
        kind: 'charge',
        at: scheduler.now(),
        account: office.domain,
        key,
        amount,
        ...statusOf(answer),
        ...(id !== undefined && { id }),
      })
      if (answer.status === 200 || (answer.status >= 400 && answer.status < 500 && answer.status !== 409))
        return
      await world.wait(1_000 + random.next() * 3_000)
    }
  }

  async function change() {
    const { office, extension } = chooseLine(random, offices)
    const value = `Ana ${scheduler.now().toFixed(0)}`
    const sentAt = scheduler.now()
    const answer = await office.send('PATCH', '/extensions', { id: extension.id, first_name: value })
    history.push({
      kind: 'change',
      at: scheduler.now(),
      sentAt,
      account: office.domain,
      extension: extension.number,
      value,
      ...statusOf(answer),
    })
  }

  return {
    topUp: (office: Office, amount: number) => whileBusy(() => topUp(office, amount)),
    change: () => whileBusy(() => change()),
  }
}
