/** Calls placed over the API at whichever process carries them, one after the other, by several at once. */

import type { Fleet } from './fleet.ts'
import type { Dice } from './seeded-random.ts'

const placers = 8
const longestPauseMs = 250
const answerWithinMs = 20_000

type Options = { fleet: Fleet; token: string; dice: Dice }

export function startTraffic({ fleet, token, dice }: Options) {
  /** Answered with 200: these must be there for ever. */
  const accepted: string[] = []
  const faults: string[] = []
  let lost = 0
  let hurried = false
  let stopped = false

  async function place() {
    const { url } = await fleet.findCarrier()
    const response = await fetch(`${url}/api/v1/calls`, {
      method: 'POST',
      headers: { authorization: token, 'content-type': 'application/json' },
      body: JSON.stringify({
        extension: '1000',
        called: '5548999998888',
        metadata: { lead: accepted.length },
      }),
      signal: AbortSignal.timeout(answerWithinMs),
    })
    const body = (await response.json()) as { id: string }
    if (response.status === 200) accepted.push(body.id)
    else faults.push(`a call was answered ${response.status} ${JSON.stringify(body)}`)
  }

  async function placer() {
    while (!stopped) {
      // No answer: whoever was asked is dead.
      await place().catch(() => {
        lost += 1
      })
      const ms = hurried ? 0 : dice.next() * longestPauseMs
      await new Promise((resolve) => setTimeout(resolve, ms))
    }
  }

  const all = Promise.all(Array.from({ length: placers }, placer))
  return {
    accepted,
    faults,
    lost: () => lost,
    /** Without pausing until so many were accepted in all. */
    async hurryTo(calls: number) {
      hurried = true
      while (accepted.length < calls && faults.length === 0) {
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
      hurried = false
    },
    async stop() {
      stopped = true
      await all
    },
  }
}
export type Traffic = ReturnType<typeof startTraffic>
