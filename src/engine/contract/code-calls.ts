/** Duty 11: calls in which the person who answers types a code. */
import { expect, test } from 'vitest'
import type { CodeCallResult } from '../port.ts'
import type { Steps } from './steps.ts'
import type { Ability, World } from './world.ts'

type Given = { getWorld: () => World; steps: Steps; cannot: ReadonlySet<Ability> }

export function testCodeCalls({ getWorld, steps, cannot }: Given) {
  const { can } = steps
  const typing = test.skipIf(cannot.has('pressKeys'))

  /** Starts the call and does what happens in it; the end of the call. */
  async function during(act: () => Promise<void>, change = {}): Promise<CodeCallResult> {
    const world = getWorld()
    const result = world.engine.callForCode(world.codeRequest({ code: '482193', ...change }))
    await act()
    return await result
  }

  async function answerAndPress(...tries: string[]) {
    const { atDestination } = getWorld()
    await atDestination.rings()
    await atDestination.answers()
    for (const keys of tries) await can('pressKeys')(keys)
  }

  typing('duty 11: the right code is typed, and the engine hangs up', async () => {
    const { outcome, cause, answeredAt, endedAt } = await during(() => answerAndPress('482193'))
    expect({ outcome, cause }).toEqual({ outcome: 'typed', cause: 'NORMAL_CLEARING' })
    expect(answeredAt?.getTime()).toBeLessThanOrEqual(endedAt.getTime())
  })

  typing('duty 11: a key that was wrong is corrected by a new try', async () => {
    expect(await during(() => answerAndPress('48*482193'))).toMatchObject({ outcome: 'typed' })
  })

  typing('duty 11: after three wrong codes the engine hangs up', async () => {
    const { outcome } = await during(() => answerAndPress('111111222222333333'), { maxTries: 3 })
    expect(outcome).toBe('wrong')
  })

  test('duty 11: a callee who hangs up has typed nothing', async () => {
    const result = await during(async () => {
      await answerAndPress()
      await getWorld().atDestination.hangsUp()
    })
    expect(result).toMatchObject({ outcome: 'not typed', cause: 'NORMAL_CLEARING' })
  })

  test('duty 11: a callee who is busy has not answered', async () => {
    const result = await during(() => getWorld().atDestination.refuses('busy'))
    expect(result).toMatchObject({ outcome: 'not answered', cause: 'USER_BUSY', answeredAt: undefined })
  })

  test('duty 11: it rings until its limit', async () => {
    const act = async () => {
      await getWorld().atDestination.rings()
      await getWorld().pass(10)
    }
    const result = await during(act, { limits: { answer: 10, typing: 60 } })
    expect(result).toMatchObject({ outcome: 'not answered', cause: 'NO_ANSWER' })
  })

  test('duty 11: it is no call of an extension: no events, not live', async () => {
    const result = await during(async () => {
      await getWorld().atDestination.rings()
      expect(getWorld().engine.liveCalls()).toEqual([])
      await getWorld().engine.stop()
    })
    expect(result).toMatchObject({ outcome: 'not answered', cause: 'NORMAL_TEMPORARY_FAILURE' })
    expect(getWorld().events).toEqual([])
  })

  test.skipIf(cannot.has('trunks'))('duty 11: the trunk presents its own number', async () => {
    const { trunks, atDestination } = getWorld()
    await during(() => atDestination.refuses('busy'))
    expect(await trunks?.reachedBy()).toEqual({ trunk: trunks?.first, presented: trunks?.firstNumber })
  })
}
