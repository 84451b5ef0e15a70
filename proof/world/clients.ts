/** Clients of the API: they place calls with keys and repeat what was not answered, hang up, transfer, pay, change and read. */

import { inside } from '../sim/globals.ts'
import type { HttpAnswer } from '../sim/service-process.ts'
import type { Extension, Office } from './office.ts'
import type { People } from './people.ts'
import type { Phones } from './phones.ts'
import type { World } from './world.ts'

const maxAttempts = 6

type Deps = { world: World; offices: Office[]; people: People; phones: Phones }

export function createClients({ world, offices, people, phones }: Deps) {
  const { scheduler, random, history } = world
  let made = 0
  let busy = 0

  const choose = () => {
    const office = random.pick(offices)
    const extension = office && random.pick(office.extensions)
    if (!office || !extension) throw new Error('there are no offices')
    return { office, extension }
  }

  async function whileBusy(work: () => Promise<void>) {
    busy += 1
    await work()
    busy -= 1
  }

  /** One call, by whichever way. */
  function call() {
    made += 1
    const roll = random.next()
    if (roll < 0.1) return void callFromCarrier()
    if (roll < 0.2) return void callFromPhone()
    const { office, extension } = choose()
    void whileBusy(() => place(office, extension, random.next() < 0.85))
  }

  async function place(office: Office, extension: Extension, isKeyed: boolean, key = `call-${made}`) {
    const called =
      random.next() < 0.08
        ? (random.pick(office.extensions)?.number ?? '')
        : `55489${String(random.below(100_000_000)).padStart(8, '0')}`
    const body = { extension: extension.number, called, metadata: { key } }
    for (let attempt = 1; attempt <= (isKeyed ? maxAttempts : 1); attempt += 1) {
      const answer = await office.send('POST', '/calls', body, isKeyed ? key : undefined)
      const id = read<string>(answer, 'id')
      history.push({
        kind: 'place',
        at: scheduler.now(),
        account: office.domain,
        key,
        isKeyed,
        extension: extension.number,
        called,
        ...statusOf(answer),
        ...(id !== undefined && { id }),
      })
      if (answer.status === 200 && id !== undefined) return await attend(office, id)
      // A key that is in use, and failures of the service, pass.
      if (answer.status >= 400 && answer.status < 500 && answer.status !== 409) return
      await world.wait(500 + random.next() * 3_000 * attempt)
    }
  }

  /** What the client does with a call that it has placed. */
  async function attend(office: Office, call: string) {
    const roll = random.next()
    if (roll < 0.12) {
      await world.wait(random.next() * 15_000)
      await hangUp(office, call)
    } else if (roll < 0.16) {
      await world.wait(5_000 + random.next() * 15_000)
      await transfer(office, call)
    }
  }

  async function hangUp(office: Office, call: string) {
    const answer = await office.send('POST', `/calls/${call}/hangup`)
    history.push({ kind: 'hangup', at: scheduler.now(), account: office.domain, call, ...statusOf(answer) })
  }

  async function transfer(office: Office, call: string) {
    const to = `55489${String(random.below(100_000_000)).padStart(8, '0')}`
    const answer = await office.send('POST', `/calls/${call}/transfer`, { to })
    const second = read<string>(answer, 'transferId')
    history.push({
      kind: 'transfer',
      at: scheduler.now(),
      account: office.domain,
      call,
      ...statusOf(answer),
      ...(second !== undefined && { second }),
    })
    const line = [...world.processes].find(({ engine }) => second && engine?.liveCalls().includes(second))
    if (line?.engine && second) people.join(line, line.engine, second, false)
  }

  async function callFromCarrier() {
    const line = phones.anyLine()
    const engine = line?.process?.engine
    if (!line?.process || !engine) return
    const { process, extension } = line
    const callerId = { number: `5511${String(random.below(100_000_000)).padStart(9, '9')}` }
    const answer = await inside(process, () =>
      engine.receive({ from: { trunk: 'main', callerId }, dialled: extension.line }),
    ).catch(() => undefined)
    if (answer && 'callId' in answer) people.join(process, engine, answer.callId, true)
  }

  async function callFromPhone() {
    const line = phones.anyLine()
    const engine = line?.process?.engine
    if (!line?.process || !engine) return
    const { process, office, extension } = line
    const answer = await inside(process, () =>
      engine.receive({
        from: { extension: { domain: office.domain, number: extension.number } },
        dialled: `48 9${String(random.below(100_000_000)).padStart(8, '0')}`,
      }),
    ).catch(() => undefined)
    if (answer && 'callId' in answer) people.join(process, engine, answer.callId, false)
  }

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
      const answer = await office.send('POST', '/charges', body, key)
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

  async function change({ office, extension } = choose()) {
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
    call,
    place: (office: Office, extension: Extension, key: string) =>
      whileBusy(() => place(office, extension, true, key)),
    topUp: (office: Office, amount: number) => whileBusy(() => topUp(office, amount)),
    change: () => whileBusy(() => change()),
    made: () => made,
    busy: () => busy,
  }
}

function read<T>({ status, body }: HttpAnswer, field: string): T | undefined {
  if (status !== 200 || typeof body !== 'object' || body === null) return undefined
  return Reflect.get(body, field) as T | undefined
}

function statusOf({ status, body }: HttpAnswer): { status: number; code?: string } {
  const error = typeof body === 'object' && body !== null ? Reflect.get(body, 'error') : undefined
  const code = error ? Reflect.get(error, 'errorCode') : undefined
  return { status, ...(typeof code === 'string' && { code }) }
}
