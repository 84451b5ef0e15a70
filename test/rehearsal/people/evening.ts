/** The evening: what the service says of the day, compared with what the receivers in PHP have written down. */
import { eventually } from '../runner/polling.ts'
import type { Person } from '../runner/story.ts'
import { allCalls, request } from '../stage/api.ts'
import type { Books, Day } from '../stage/day.ts'

type Feed = { data: { eventType: string; id: string }[]; cursor: string; more: boolean }

export async function compareBooks({ check }: Person, day: Day) {
  const { api } = day.service
  for (const books of day.books) {
    await check(`compares the calls of the ${books.who} with the webhooks that PHP received`, async () => {
      const calls = await allCalls(api, books.token)
      const open = calls.filter(({ ended_at }) => ended_at === null)
      if (calls.length === 0 || open.length > 0)
        throw new Error(`${calls.length} calls, open: ${open.length}`)
      const ended = await endsOf(api, books)
      const wrong = calls.filter(({ id }) => ended.get(id) !== 1)
      if (wrong.length > 0 || ended.size !== calls.length) {
        throw new Error(`of ${calls.length} calls ended not exactly once: ${wrong.map(({ id }) => id)}`)
      }
      const { receiver } = books
      const missing = () => calls.filter(({ id }) => !receiver.endedCalls().includes(id))
      await eventually(() => (missing().length === 0 ? true : undefined), {
        what: 'the webhook of each call',
      })
      const strange = receiver.endedCalls().filter((id) => !ended.has(id ?? ''))
      if (strange.length > 0) throw new Error(`unknown: ${strange}`)
    })
  }
}

/** How often each call has ended, by the feed of events, which has no gaps and repeats nothing. */
async function endsOf(api: string, { token }: Books): Promise<Map<string, number>> {
  const ends = new Map<string, number>()
  for (let [after, more] = ['0', true]; more; ) {
    const page: Feed = await request(token, 'GET', `${api}/events?limit=1000&after=${after}`)
    for (const { eventType, id } of page.data) {
      if (eventType === 'channel-hangup') ends.set(id, (ends.get(id) ?? 0) + 1)
    }
    after = page.cursor
    more = page.more
  }
  return ends
}
