/** An extension that places one call after the other; the calls end differently, and each end is checked. */
import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { api } from '../service.ts'
import { type FullService, post } from './full-service.ts'
import { patiently } from './patiently.ts'

/** The last digits of `called` decide how the simulated destination behaves. */
const kinds = {
  'hung up over the API': { called: '5548999990010', talkMs: [3_000, 15_000], cause: 'NORMAL_CLEARING' },
  'destination hangs up': { called: '5548999990003', talkMs: undefined, cause: 'NORMAL_CLEARING' },
  'destination is busy': { called: '5548999990001', talkMs: undefined, cause: 'USER_BUSY' },
  'caller gives up': { called: '5548999990002', talkMs: [1_000, 3_000], cause: 'ORIGINATOR_CANCEL' },
} as const
type Kind = keyof typeof kinds
const busy = 'refused as busy (503)'
const inOutage = 'in an outage of the carrier'

const pollMs = 500
/** A call ends after the longest outage of the carrier at the latest. */
const timeoutMs = 150_000

export function createCallResults() {
  const counts: Record<string, number> = {}
  const failures: string[] = []
  return {
    ended: (kind: Kind | typeof inOutage | typeof busy) => {
      counts[kind] = (counts[kind] ?? 0) + 1
    },
    fail: (text: string) => failures.push(text),
    counts: () => counts,
    /** Their number, and the first of them. */
    failures: () => ({ count: failures.length, first: failures.slice(0, 20) }),
  }
}

export type Calling = {
  service: FullService
  results: ReturnType<typeof createCallResults>
  /** Whether the carrier was away since then. A call that met it may be refused or end in any way, but it must end. */
  wasAway(since: number): boolean
  isOver: () => boolean
}

export async function keepCalling({ service, results, wasAway, isOver }: Calling, extension: string) {
  const names = Object.keys(kinds) as Kind[]
  await sleep(randomInt(3_000))
  for (let turn = randomInt(names.length); !isOver(); turn++) {
    const kind = names[turn % names.length] ?? 'hung up over the API'
    const began = performance.now()
    try {
      results.ended(await callOnce(service, extension, kind))
    } catch (error) {
      if (error instanceof UnexpectedEnd && wasAway(began)) results.ended(inOutage)
      else results.fail(`${new Date().toISOString()} ${extension}, ${kind}: ${error}`)
      await sleep(1_000)
    }
  }
}

class UnexpectedEnd extends Error {}

async function callOnce(service: FullService, extension: string, kind: Kind): Promise<Kind | typeof busy> {
  const { called, talkMs, cause } = kinds[kind]
  const placed = await post(service, '/calls', { extension, called })
  const { id = '' } = placed.body
  if (placed.status === 503 && JSON.stringify(placed.body).includes('SERVICE_UNAVAILABLE')) return busy
  if (placed.status !== 200)
    throw new UnexpectedEnd(`placed: ${placed.status} ${JSON.stringify(placed.body)}`)
  if (talkMs) {
    await sleep(randomInt(talkMs[0], talkMs[1]))
    const ended = await patiently(() => post(service, `/calls/${id}/hangup`))
    // A call that ended by itself cannot be hung up: its cause is checked below.
    if (ended.status !== 200 && !(await causeOf(service, id)))
      throw new Error(`hung up: ${ended.status} ${JSON.stringify(ended.body)}`)
  }
  const found = await untilEnded(service, id)
  if (found !== cause) throw new UnexpectedEnd(`ended with ${found}`)
  return kind
}

async function untilEnded(service: FullService, id: string): Promise<string> {
  const deadline = performance.now() + timeoutMs
  while (performance.now() < deadline) {
    const cause = await causeOf(service, id)
    if (cause) return cause
    await sleep(pollMs)
  }
  throw new Error(`${id} never ended`)
}

async function causeOf({ url, token }: FullService, id: string): Promise<string | null | undefined> {
  const filter = encodeURIComponent(JSON.stringify({ where: { id } }))
  const response = await patiently(() =>
    fetch(`${url}${api}/calls?page=1&filter=${filter}`, { headers: { authorization: token } }),
  )
  // On a busy machine a search may take too long (422), again and again.
  if (response.status === 422 || response.status === 503) return undefined
  if (response.status !== 200) throw new Error(`the call was answered ${response.status}`)
  const { data } = (await response.json()) as { data: { hangup_cause: string | null }[] }
  return data[0]?.hangup_cause
}
