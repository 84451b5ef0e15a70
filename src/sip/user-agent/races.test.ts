import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createScene, sdp, settle, type TestAgent } from './testing/test-agents.ts'

const actions = [
  'ring',
  'accept',
  'refuse',
  'cancel',
  'offer',
  'theirOffer',
  'info',
  'hangUp',
  'theirHangUp',
] as const
const steps = fc.array(
  fc.record({
    action: fc.constantFrom(...actions),
    ms: fc.constantFrom(0, 0, 1, 700, 3_000),
    fates: fc.constantFrom('pass', 'pass', 'hold', 'late', 'lossy'),
  }),
  { minLength: 2, maxLength: 9 },
)

/** The listener is called with one outcome first, at most one end, and nothing after either. */
function check({ events }: TestAgent) {
  const outcome = events.findIndex((event) => /^(answered|failed|cancelled)/.test(event))
  const ends = events.filter((event) => event.startsWith('ended'))
  expect(ends.length).toBeLessThanOrEqual(1)
  expect(events.filter((event) => /^(answered|failed|cancelled)/.test(event)).length).toBeLessThanOrEqual(1)
  if (ends.length > 0) expect(events.at(-1)).toBe(ends[0])
  if (/^(failed|cancelled)/.test(events[outcome] ?? '')) expect(outcome).toBe(events.length - 1)
  expect(events).not.toContain('error')
}

test('whatever is lost, late or simultaneous, a call ends at both ends and nothing is left of it', async () => {
  await fc.assert(
    fc.asyncProperty(steps, fc.infiniteStream(fc.integer({ min: 0, max: 9 })), async (plan, dice) => {
      const { near, wire, timers, pass, ...scene } = createScene()
      const far = scene.testAgent()
      const promised: Promise<unknown>[] = []
      const leg = near.call()
      const theirs = () => far.legs[0]
      await settle()
      for (const { action, ms, fates } of plan) {
        if (fates === 'late') wire.release(true)
        else if (fates === 'pass') wire.release()
        else if (fates === 'hold') wire.let(() => 'hold')
        else wire.let(() => ((dice.next().value ?? 0) < 4 ? 'lose' : 'pass'))
        if (action === 'ring') theirs()?.progress(180)
        else if (action === 'accept') theirs()?.accept(sdp(20))
        else if (action === 'refuse') theirs()?.refuse(486)
        else if (action === 'cancel') leg.cancel()
        else if (action === 'offer') promised.push(leg.offer(sdp(11)))
        else if (action === 'theirOffer') promised.push(theirs()?.offer(sdp(21)) ?? Promise.resolve())
        else if (action === 'info') promised.push(leg.info(Buffer.from('x'), 'text/plain'))
        else if (action === 'hangUp') leg.hangUp()
        else theirs()?.hangUp()
        if (ms > 0) await pass(ms)
      }
      wire.release()
      await pass(5_000)
      leg.hangUp()
      theirs()?.hangUp()
      await pass(140_000)
      expect([near.agent.legs(), far.agent.legs(), timers.waiting()]).toEqual([0, 0, 0])
      await Promise.all(promised)
      check(near)
      check(far)
    }),
    { numRuns: 120 },
  )
}, 120_000)
