/** What every voice engine must do, as the port says. Each adapter runs this list in a world of its own. */
import { afterEach, beforeEach, describe } from 'vitest'
import { testCalls } from './contract/calls.ts'
import { testCodeCalls } from './contract/code-calls.ts'
import { testDuties } from './contract/duties.ts'
import { createSteps } from './contract/steps.ts'
import { testTalk } from './contract/talk.ts'
import type { Ability, Refusal, World } from './contract/world.ts'

export type { Ability, Person, World } from './contract/world.ts'

type Limits = {
  /** The refusals that people of this world can express. */
  refusals?: Refusal[]
  /** What this world cannot do: the tests of it are reported as skipped. */
  cannot?: Ability[]
}

export function describeEngine(
  name: string,
  makeWorld: () => Promise<World>,
  { refusals = ['busy', 'declined'], cannot = [] }: Limits = {},
) {
  describe(`${name}, as every voice engine`, () => {
    let world: World
    beforeEach(async () => {
      world = await makeWorld()
    })
    afterEach(() => world.close())

    const getWorld = () => world
    const steps = createSteps(getWorld)
    testCalls({ getWorld, steps, refusals })
    testCodeCalls({ getWorld, steps, cannot: new Set(cannot) })
    testDuties({ getWorld, steps, cannot: new Set(cannot) })
    testTalk({ getWorld, steps, cannot: new Set(cannot) })
  })
}
