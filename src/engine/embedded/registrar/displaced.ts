/**
 * Phones that had to make way for a newer one (D76). Left alone, a displaced phone would take the line back at its
 * next refresh, the other one likewise, and so on: its refreshes (the same Call-ID) are refused for as long as it
 * keeps sending them. A new Call-ID is its user acting, as when the phone is restarted.
 *
 * Some phones make a new Call-ID whenever they connect again, and being displaced makes them connect again. When
 * known phones take an extension from each other more than `freely` times, each must wait before its next turn,
 * longer every time; a phone not seen before never waits.
 */
import { isSamePhone, type Phone } from './binding.ts'

const hour = 3_600_000
const minute = 60_000
const freely = 3
const calmAfter = 30 * minute
const longestWait = 10 * minute
const mostPhones = 4

type Out = { phone: Phone; until: number; waitsUntil: number }
type Story = { out: Out[]; times: number; last: number }

export function createDisplaced({ now, most = 10_000 }: { now(): number; most?: number }) {
  const stories = new Map<string, Story>()

  /** `until` is when its registration would have ended. */
  function add(key: string, phone: Phone, until: number) {
    const story = stories.get(key) ?? { out: [], times: 0, last: now() }
    if (now() - story.last > calmAfter) story.times = 0
    story.times += 1
    story.last = now()
    const wait = story.times > freely ? minute * 2 ** (story.times - freely - 1) : 0
    keepOut(key, story, { phone, until: until + hour, waitsUntil: now() + Math.min(wait, longestWait) })
  }

  /** One that was displaced before a restart: no more is known of it than its Call-ID. */
  function restore(key: string, callId: string, newer: Phone, until: number) {
    const story = stories.get(key) ?? { out: [], times: 0, last: now() }
    const phone = { ...newer, callId, instance: undefined, contact: '' }
    keepOut(key, story, { phone, until: until + hour, waitsUntil: 0 })
  }

  function keepOut(key: string, story: Story, one: Out) {
    const others = story.out.filter(({ phone }) => phone.callId !== one.phone.callId)
    story.out = [...others, one].slice(-mostPhones)
    // The newest last; what makes room is old, or over.
    stories.delete(key)
    for (const [oldest, { out }] of stories) {
      if (stories.size < most && out.some((other) => other.until > now())) break
      stories.delete(oldest)
    }
    stories.set(key, story)
  }

  function refuses(key: string, phone: Phone): boolean {
    const story = stories.get(key)
    if (!story) return false
    story.out = story.out.filter(({ until }) => until > now())
    if (story.out.length === 0) stories.delete(key)
    const refreshing = story.out.find((one) => one.phone.callId === phone.callId)
    if (refreshing) {
      refreshing.until = Math.max(refreshing.until, now() + hour)
      return true
    }
    return story.out.some((one) => one.waitsUntil > now() && isSamePhone(one.phone, phone))
  }

  return {
    add,
    restore,
    refuses,
    forget: (key: string) => void stories.delete(key),
    callIds: (key: string) => stories.get(key)?.out.map(({ phone }) => phone.callId) ?? [],
    size: () => stories.size,
  }
}
