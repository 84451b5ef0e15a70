/** Calls that are talked in while the database fails over: they go on until they are hung up. */
import type { Fleet, Member } from '../crash/fleet.ts'
import { waitFor } from '../crash/matrix.ts'
import { talkative } from '../crash/traffic.ts'
import type { PostgresPair } from './pair.ts'

type Options = { fleet: Fleet; token: string; pair: Pick<PostgresPair, 'query'> }

export function createTalks({ fleet, token, pair }: Options) {
  const placed: { id: string; home: Member }[] = []
  const faults: string[] = []

  async function post({ url }: Member, path: string, body: object = {}) {
    const headers = { authorization: token, 'content-type': 'application/json', 'x-allow-duplicate': 'true' }
    const response = await fetch(`${url}/api/v1${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    })
    const text = await response.text()
    if (response.status !== 200) faults.push(`${path} of a talk was answered ${response.status} ${text}`)
    return JSON.parse(text) as { id: string }
  }

  async function causes(): Promise<(string | null)[]> {
    const ids = placed.map(({ id }) => `'${id}'`).join()
    const { rows } = await pair.query(
      `select hangup_cause as cause from calls where answered_at is not null and id in (${ids})`,
    )
    return rows.map(({ cause }) => cause)
  }

  return {
    faults,
    /** One of each phone; resolves when they are answered. */
    async place() {
      for (const extension of fleet.extensions()) {
        const home = await fleet.findHome(extension)
        const call = { extension: extension.number, called: `554899999${talkative}` }
        placed.push({ id: (await post(home, '/calls', call)).id, home })
      }
      await waitFor(async () => (await causes()).length === placed.length)
    },
    /** Returns how many talks there were, and how many of them had been cut off. */
    async hangUp() {
      const cut = (await causes()).filter((cause) => cause !== null).length
      if (cut > 0) faults.push(`${cut} of ${placed.length} talks were cut off`)
      for (const { id, home } of placed) await post(home, `/calls/${id}/hangup`)
      return { talks: placed.length, cut }
    },
  }
}
