import { expect, test } from 'vitest'
import { createLossyScene } from './testing/lossy.ts'
import { sdp } from './testing/test-agents.ts'

const seeds = Array.from({ length: 8 }, (_, index) => index + 1)

test.each(seeds)(
  'with a quarter of the packets lost and all delayed, a call still works (%i)',
  async (seed) => {
    const { near, far, pass, timers } = createLossyScene({ seed, loss: 0.25, delay: 120 })
    const leg = near.call()
    await pass(8_000)
    far.leg().progress(180)
    await pass(1_000)
    far.leg().accept(sdp(20))
    await pass(10_000)
    expect(near.events.at(-1)).toBe('answered 20')
    const promised = [leg.offer(sdp(11)), far.leg().offer(sdp(21)), leg.info(Buffer.from('5'), 'text/plain')]
    await pass(60_000)
    const [ours, theirs, info] = await Promise.all(promised)
    expect([ours, theirs, info]).toMatchObject([{ media: [{ port: 40 }] }, { media: [{ port: 40 }] }, 200])
    far.leg().hangUp()
    await pass(45_000)
    expect([near.events.at(-1), far.events.at(-1)]).toEqual([
      'ended bye',
      expect.stringMatching(/^(offered|info)/),
    ])
    await pass(40_000)
    expect([near.agent.legs(), far.agent.legs(), timers.waiting()]).toEqual([0, 0, 0])
  },
)

test.each(seeds)('a call cancelled just when it is answered is over at both ends (%i)', async (seed) => {
  const { near, far, pass, timers } = createLossyScene({ seed, loss: 0.25, delay: 120 })
  const leg = near.call()
  await pass(8_000)
  far.leg().progress(180)
  await pass(4_000)
  leg.cancel()
  far.leg().accept(sdp(20))
  await pass(80_000)
  expect(near.events.at(-1)).toMatch(/^failed cancelled/)
  expect(far.events.at(-1)).toBe('ended bye')
  await pass(40_000)
  expect([near.agent.legs(), far.agent.legs(), timers.waiting()]).toEqual([0, 0, 0])
})
