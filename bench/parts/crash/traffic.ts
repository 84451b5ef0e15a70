/**
 * Several clients that place calls over the API, each one call after the other: at the process of the phone, or with
 * several phones at any process.
 */

import type { Fleet } from './fleet.ts'
import type { SeededRandom } from './seeded-random.ts'

const clients = 8
const longestPauseMs = 250
const answerWithinMs = 20_000
/** Calls to numbers with this end are talked in until they are hung up; the others end by themselves within half a second. */
export const talkative = '7777'
/** Answers while a phone moves from a killed process to another one. */
const refusals = [/user not registered/, /has been failed/, /busy or down/]

type Options = { fleet: Fleet; token: string; random: SeededRandom }

export function startTraffic({ fleet, token, random }: Options) {
  /** Answered with 200: none of these calls may be lost. */
  const accepted: string[] = []
  const faults: string[] = []
  let lost = 0
  let refused = 0
  let withoutPauses = false
  let stopped = false

  async function place() {
    const phones = fleet.extensions()
    const phone = random.pick(phones)
    if (!phone) throw new Error('no extension places calls')
    const home = await fleet.findHome(phone)
    const { url } = (phones.length > 1 && random.pick(fleet.members())) || home
    const response = await fetch(`${url}/api/v1/calls`, {
      method: 'POST',
      headers: {
        authorization: token,
        'content-type': 'application/json',
        'x-allow-duplicate': 'true',
      },
      body: JSON.stringify({
        extension: phone.number,
        called: '5548999998888',
        metadata: { lead: accepted.length },
      }),
      signal: AbortSignal.timeout(answerWithinMs),
    })
    const body = (await response.json()) as { id: string }
    if (response.status === 200) accepted.push(body.id)
    else if (phones.length > 1 && refusals.some((text) => text.test(JSON.stringify(body)))) refused += 1
    else faults.push(`a call was answered ${response.status} ${JSON.stringify(body)}`)
  }

  async function runClient() {
    while (!stopped) {
      // No answer: the process was killed.
      await place().catch(() => {
        lost += 1
      })
      const ms = withoutPauses ? 0 : random.next() * longestPauseMs
      await new Promise((resolve) => setTimeout(resolve, ms))
    }
  }

  const all = Promise.all(Array.from({ length: clients }, runClient))
  return {
    accepted,
    faults,
    lost: () => lost,
    refused: () => refused,
    /** Places calls without pauses until `calls` were accepted in total. */
    async placeUntil(calls: number) {
      withoutPauses = true
      while (accepted.length < calls && faults.length === 0) {
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
      withoutPauses = false
    },
    async stop() {
      stopped = true
      await all
    },
  }
}
export type Traffic = ReturnType<typeof startTraffic>
