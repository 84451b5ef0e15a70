/** Duties 12 to 14, and what an engine tells of itself: keys, transfers, draining, shares of trunks. */
import { expect, test } from 'vitest'
import type { Steps } from './steps.ts'
import type { Ability, World } from './world.ts'

type Given = { getWorld: () => World; steps: Steps; cannot: ReadonlySet<Ability> }

export function testTalk({ getWorld, steps, cannot }: Given) {
  const { typesOf, endOf, placeUntil, can } = steps
  const needs = (...abilities: Ability[]) => test.skipIf(abilities.some((ability) => cannot.has(ability)))

  async function keysOf(callId: string) {
    const end = await getWorld().until(callId, 'ended')
    return end.type === 'ended' ? end.keys?.map(({ from, to, key }) => `${from} > ${to}: ${key}`) : undefined
  }

  test('duty 12: keys of the host are sent in a talk only, and the end reports them', async () => {
    const { engine } = getWorld()
    const callId = await placeUntil('dialling')
    expect(engine.pressKeys(callId, 'other', '1')).toBe(false)
    await getWorld().atDestination.answers()
    await getWorld().until(callId, 'answered')
    expect(engine.pressKeys(callId, 'other', '2#')).toBe(true)
    await getWorld().pass(1)
    engine.hangUp(callId)
    await endOf(callId)
    expect(await keysOf(callId)).toEqual(['service > other: 2', 'service > other: #'])
    expect(engine.pressKeys(callId, 'other', '3')).toBe(false)
  })

  needs('pressKeys', 'recording')('duty 12 (D280): keys of a side go to the other one', async () => {
    const callId = await placeUntil('talking')
    await can('pressKeys')('5*')
    await can('recording').talk()
    await getWorld().atDestination.hangsUp()
    await endOf(callId)
    expect(await keysOf(callId)).toEqual(['other > extension: 5', 'other > extension: *'])
  })

  needs('register')(
    'duty 13 (D248): while it drains, new phones are refused and live calls go on',
    async () => {
      const register = can('register')
      const callId = await placeUntil('talking')
      getWorld().engine.setDraining(true)
      expect(await register({ name: 'newcomer', number: '1001' })).toBe(false)
      expect(getWorld().engine.liveCalls()).toEqual([callId])
      getWorld().engine.setDraining(false)
      expect(await register({ name: 'newcomer', number: '1001' })).toBe(true)
      getWorld().engine.hangUp(callId)
      expect(await endOf(callId)).toEqual({ cause: 'NORMAL_CLEARING', by: 'service' })
    },
  )

  needs('trunks')('duty 14 (D282): a transfer is a second call, and the two end together', async () => {
    const { engine } = getWorld()
    const first = await placeUntil('talking')
    const second = getWorld().request()
    expect(engine.transfer(first, second)).toBe(true)
    await getWorld().atDestination.rings()
    await getWorld().until(second.callId, 'progress')
    await getWorld().atDestination.answers()
    expect(await getWorld().until(first, 'transferred')).toMatchObject({ to: second.callId })
    await getWorld().atDestination.hangsUp()
    expect((await endOf(second.callId)).cause).toBe('NORMAL_CLEARING')
    expect((await endOf(first)).cause).toBe('NORMAL_CLEARING')
    expect(typesOf(second.callId)).toEqual(['extensionAnswered', 'progress', 'answered', 'ended'])
  })

  test('duty 14: a call that is not talking cannot be transferred', async () => {
    const { engine } = getWorld()
    const callId = await placeUntil('ringing')
    const second = { ...getWorld().request(), callId: crypto.randomUUID() }
    expect(engine.transfer(callId, second)).toBe(false)
    engine.hangUp(callId)
    await endOf(callId)
    expect(typesOf(second.callId)).toEqual([])
  })

  needs('temporaryLogins')(
    'D312: a phone with the temporary login of a user stays while the user may use the extension',
    async () => {
      const { engine, extension } = getWorld()
      const { register, revoke } = can('temporaryLogins')
      expect(await register(7)).toBe(true)
      revoke(8)
      engine.recheck(8)
      engine.recheck(7)
      expect(engine.registration(extension)).toBeDefined()
      revoke(7)
      engine.recheck(7)
      await expect.poll(() => engine.registration(extension)).toBeUndefined()
      expect(await register(7)).toBe(false)
    },
  )

  needs('trunks')('D250: a node uses its share of a trunk, and all of it without shares', async () => {
    const { engine } = getWorld()
    const { first, second, reachedBy } = can('trunks')
    const none = { channels: 0, callsPerSecond: 0 }
    engine.limitTrunks(new Map([[first, none]]))
    const limited = await placeUntil('talking')
    expect((await reachedBy()).trunk).toBe(second)
    engine.hangUp(limited)
    await endOf(limited)
    engine.limitTrunks(undefined)
    const callId = await placeUntil('talking')
    expect((await reachedBy()).trunk).toBe(first)
    expect(engine.trunks()).toMatchObject([
      { name: first, used: 1, begun: 1, problems: [] },
      { name: second, used: 0, begun: 1, problems: [] },
    ])
    engine.hangUp(callId)
    await endOf(callId)
  })

  needs('trunks')(
    'duty 15 (D624): a trunk that is taken out gets no new calls, and its live call goes on',
    async () => {
      const { engine } = getWorld()
      const { first, second, reachedBy, all } = can('trunks')
      const live = await placeUntil('talking')
      expect((await reachedBy()).trunk).toBe(first)
      engine.setTrunks(all.filter(({ name }) => name === second))
      const next = await placeUntil('talking')
      expect((await reachedBy()).trunk).toBe(second)
      expect(engine.liveCalls().toSorted()).toEqual([live, next].toSorted())
      expect(engine.pressKeys(live, 'other', '1')).toBe(true)
      for (const callId of [next, live]) {
        engine.hangUp(callId)
        expect((await endOf(callId)).cause).toBe('NORMAL_CLEARING')
      }
      engine.setTrunks(all)
      await expect.poll(() => engine.trunks().map(({ name }) => name)).toEqual([first, second])
    },
  )

  needs('trunks')(
    'duty 15 (D668): a trunk that is changed counts the call it has, which goes on',
    async () => {
      const { engine } = getWorld()
      const { first, second, reachedBy, all } = can('trunks')
      const live = await placeUntil('talking')
      expect((await reachedBy()).trunk).toBe(first)
      engine.setTrunks(all.map((one) => (one.name === first ? { ...one, channels: 1 } : one)))
      await expect.poll(() => engine.trunks()[0]).toMatchObject({ name: first, used: 1, channels: 1 })
      const next = await placeUntil('talking')
      expect((await reachedBy()).trunk).toBe(second)
      for (const callId of [next, live]) {
        engine.hangUp(callId)
        expect((await endOf(callId)).cause).toBe('NORMAL_CLEARING')
      }
      engine.setTrunks(all)
      await expect.poll(() => engine.trunks()[0]?.channels).toBe(all[0]?.channels)
    },
  )

  test('an engine that works says how many phones it has, and of no problem', () => {
    const { engine } = getWorld()
    expect([engine.phones(), engine.problems()]).toEqual([1, []])
    expect(Object.values(engine.metrics()).every(Number.isFinite)).toBe(true)
    expect(Object.values(engine.addresses()).every((address) => address.length > 0)).toBe(true)
  })
}
