/** The steps that tests of the contract share. */
import { expect } from 'vitest'
import type { CallRequest } from '../port.ts'
import type { Abilities, World } from './world.ts'

export type Stage = 'ringing' | 'dialling' | 'talking'

export function createSteps(getWorld: () => World) {
  const typesOf = (callId: string) =>
    getWorld()
      .events.filter((event) => event.callId === callId)
      .map(({ type }) => type)

  /** Also checks that `ended` came once and last. */
  async function endOf(callId: string) {
    const world = getWorld()
    const end = await world.until(callId, 'ended')
    if (end.type !== 'ended') throw new Error('not the end')
    expect(typesOf(callId).filter((type) => type === 'ended')).toHaveLength(1)
    expect(typesOf(callId).at(-1)).toBe('ended')
    expect(world.engine.liveCalls()).not.toContain(callId)
    return { cause: end.cause, by: end.by }
  }

  async function placeUntil(stage: Stage, change: Partial<CallRequest> = {}): Promise<string> {
    const world = getWorld()
    const request = world.request(change)
    const { callId } = request
    world.engine.place(request)
    await world.atExtension.rings()
    await world.until(callId, 'ringing')
    if (stage === 'ringing') return callId
    await world.atExtension.answers()
    await world.until(callId, 'extensionAnswered')
    await world.atDestination.rings()
    await world.until(callId, 'progress')
    if (stage === 'dialling') return callId
    await world.atDestination.answers()
    await world.until(callId, 'answered')
    return callId
  }

  /** The ability, which a world that does not exclude it must have. */
  function can<Name extends keyof Abilities>(name: Name): Abilities[Name] {
    const ability = getWorld()[name]
    if (ability === undefined) throw new Error(`this world lacks ${name}, and does not say so`)
    return ability as Abilities[Name]
  }

  return { typesOf, endOf, placeUntil, can }
}
export type Steps = ReturnType<typeof createSteps>
