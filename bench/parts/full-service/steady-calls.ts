/** An extension that places one call after the other; the calls end differently, and each end is checked. */
import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { api } from '../service.ts'
import { type FullService, post } from './full-service.ts'

/** The last digits of `called` decide how the simulated destination behaves. */
const kinds = {
  'hung up over the API': { called: '5548999990010', talkMs: [3_000, 15_000], cause: 'NORMAL_CLEARING' },
  'destination hangs up': { called: '5548999990003', talkMs: undefined, cause: 'NORMAL_CLEARING' },
  'destination is busy': { called: '5548999990001', talkMs: undefined, cause: 'USER_BUSY' },
  'caller gives up': { called: '5548999990002', talkMs: [1_000, 3_000], cause: 'ORIGINATOR_CANCEL' },
} as const
type Kind = keyof typeof kinds

const pollMs = 500
const timeoutMs = 20_000

export function createCallResults() {
  const counts: Record<string, number> = {}
  const failures: string[] = []
  return {
    ended: (kind: Kind) => {
      counts[kind] = (counts[kind] ?? 0) + 1
    },
    fail: (text: string) => failures.push(text),
    counts: () => counts,
    failures: () => failures.slice(0, 20),
  }
}

type Options = {
  service: FullService
  extension: string
  results: ReturnType<typeof createCallResults>
  isOver: () => boolean
}

export async function keepCalling({ service, extension, results, isOver }: Options) {
  const names = Object.keys(kinds) as Kind[]
  await sleep(randomInt(3_000))
  for (let turn = randomInt(names.length); !isOver(); turn++) {
    const kind = names[turn % names.length] ?? 'hung up over the API'
    try {
      await callOnce(service, extension, kind)
      results.ended(kind)
    } catch (error) {
      results.fail(`${kind}: ${error}`)
      await sleep(1_000)
    }
  }
}

async function callOnce(service: FullService, extension: string, kind: Kind) {
  const { called, talkMs, cause } = kinds[kind]
  const placed = await post(service, '/calls', { extension, called })
  const { id = '' } = placed.body
  if (placed.status !== 200) throw new Error(`placed: ${placed.status} ${JSON.stringify(placed.body)}`)
  if (talkMs) {
    await sleep(randomInt(talkMs[0], talkMs[1]))
    const ended = await post(service, `/calls/${id}/hangup`)
    if (ended.status !== 200) throw new Error(`hung up: ${ended.status} ${JSON.stringify(ended.body)}`)
  }
  const found = await untilEnded(service, id)
  if (found !== cause) throw new Error(`ended with ${found}`)
}

async function untilEnded({ url, token }: FullService, id: string): Promise<string> {
  const deadline = performance.now() + timeoutMs
  const filter = encodeURIComponent(JSON.stringify({ where: { id } }))
  while (performance.now() < deadline) {
    const response = await fetch(`${url}${api}/calls?page=1&filter=${filter}`, {
      headers: { authorization: token },
    })
    const { data } = (await response.json()) as { data: { hangup_cause: string | null }[] }
    if (data[0]?.hangup_cause) return data[0].hangup_cause
    await sleep(pollMs)
  }
  throw new Error('it never ended')
}
