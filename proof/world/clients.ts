/** Clients that call: they place calls with keys and repeat what was not answered, hang up and transfer; phones and carriers call too. */

import { inside } from '../sim/globals.ts'
import { chooseLine, maxAttempts, randomNumber, read, statusOf, type WhileBusy } from './answers.ts'
import type { Extension, Office } from './office.ts'
import type { People } from './people.ts'
import type { Phones } from './phones.ts'
import type { World } from './world.ts'

/** A key stays in use for a minute after the death of the process that worked on it. */
const inUse = 'IDEMPOTENCY_KEY_IN_USE'
/** How long a call of a probe goes on before its client hangs up: some are longer than the first block of the rate. */
const probesMs = [9_000, 9_000, 42_000]

type Deps = { world: World; offices: Office[]; people: People; phones: Phones; whileBusy: WhileBusy }

export function createClients({ world, offices, people, phones, whileBusy }: Deps) {
  const { scheduler, random, history } = world
  let made = 0
  let probes = 0

  /** One call, by whichever way. */
  function call() {
    made += 1
    const roll = random.next()
    if (roll < 0.1) return void callFromCarrier()
    if (roll < 0.2) return void callFromPhone()
    const { office, extension } = chooseLine(random, offices)
    void whileBusy(() => place(office, extension, random.next() < 0.85))
    // Everybody in an office calls at the same moment, more often where that is more than its credit is enough for.
    if (random.next() < (office.isScarce ? 0.65 : 0.92)) return
    for (const other of office.extensions) {
      if (other === extension) continue
      made += 1
      void whileBusy(() => place(office, other, true))
    }
  }

  async function place(office: Office, extension: Extension, isKeyed: boolean, probe?: string) {
    const key = probe ?? `call-${made}`
    const called =
      random.next() < 0.08 ? (random.pick(office.extensions)?.number ?? '') : randomNumber(random)
    const body = { extension: extension.number, called, metadata: { key } }
    const headers = {
      ...(isKeyed && { 'idempotency-key': key }),
      // D149: then nothing but the key keeps a repeated request from ringing again.
      ...(isKeyed && random.next() < 0.3 && { 'x-allow-duplicate': 'true' }),
    }
    async function send() {
      const sentAt = scheduler.now()
      const answer = await office.send('POST', '/calls', body, headers)
      const id = read<string>(answer, 'id')
      const result = statusOf(answer)
      history.push({
        kind: 'place',
        sentAt,
        at: scheduler.now(),
        account: office.domain,
        key,
        isKeyed,
        extension: extension.number,
        called,
        ...result,
        ...(id !== undefined && { id }),
      })
      return { ...result, id }
    }
    // A proxy on the way sends the request a second time, at once or while the phone is about to ring.
    if (isKeyed && random.next() < 0.12)
      void whileBusy(async () => {
        await world.wait(random.next() * (random.next() < 0.5 ? 50 : 1_200))
        await send()
      })
    for (let attempt = 1; attempt <= (isKeyed ? maxAttempts : 1); attempt += 1) {
      const { status, code, id } = await send()
      if (status === 200 && id !== undefined)
        return await (probe === undefined ? attend(office, id) : endProbe(office, id))
      if (code === inUse) await world.wait(6_000 + random.next() * 8_000)
      else if (status >= 400 && status < 500) return
      // Failures of the service pass.
      else await world.wait(1_000 + random.next() * 5_000 * Math.min(attempt, 4))
    }
  }

  async function endProbe(office: Office, call: string) {
    probes += 1
    await world.wait(probesMs[probes % probesMs.length] ?? 0)
    await hangUp(office, call)
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
    const to = randomNumber(random)
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
    if (line?.engine && second) people.join(line, line.engine, second)
  }

  async function callFromCarrier() {
    const line = phones.anyLine()
    const engine = line?.process?.engine
    if (!line?.process || !engine) return
    const { process, office, extension } = line
    const callerId = { number: `5511${String(random.below(100_000_000)).padStart(9, '9')}` }
    const answer = await inside(process, () =>
      engine.receive({ from: { trunk: 'main', callerId }, dialled: extension.line }),
    ).catch(() => undefined)
    const name = { domain: office.domain, number: extension.number }
    if (answer && 'callId' in answer)
      people.join(process, engine, answer.callId, { fromCarrier: true, extension: name })
  }

  async function callFromPhone() {
    const line = phones.anyLine()
    const engine = line?.process?.engine
    if (!line?.process || !engine) return
    const { process, office, extension } = line
    const name = { domain: office.domain, number: extension.number }
    const answer = await inside(process, () =>
      engine.receive({
        from: { extension: name },
        dialled: `48 9${String(random.below(100_000_000)).padStart(8, '0')}`,
      }),
    ).catch(() => undefined)
    if (answer && 'callId' in answer) people.join(process, engine, answer.callId, { extension: name })
  }

  return {
    call,
    /** A call of a minute after the faults, which its client hangs up. */
    probe: (office: Office, extension: Extension, name = 'probe') =>
      whileBusy(() => place(office, extension, true, `${name}-${office.domain}-${extension.number}`)),
    made: () => made,
  }
}
