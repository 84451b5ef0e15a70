/** The scenes of a test file: when a test ends, no leg of its scene is left and no timer waits. */
import { afterEach, expect } from 'vitest'
import type { HeaderPairs } from '../../message/request.ts'
import {
  createAnswered,
  createScene,
  described,
  type Scene,
  type SceneOptions,
  settle,
} from './test-agents.ts'

/** Longer than any timer of a call that has ended. */
const afterwardsMs = 70_000

export function createScenes() {
  let scene: Scene | undefined

  afterEach(async () => {
    if (!scene) return
    await scene.pass(afterwardsMs)
    expect([scene.near.agent.legs(), scene.timers.waiting()]).toEqual([0, 0])
    scene = undefined
  })

  function openScene(options: Parameters<typeof createScene>[0] = {}): Scene {
    scene = createScene(options)
    return scene
  }

  function withScriptedPeer(options: Parameters<typeof createScene>[0] = {}) {
    const opened = openScene(options)
    return { ...opened, far: opened.scriptedPeer() }
  }

  /** A call of a scripted peer that we answered. */
  async function answered(options: SceneOptions = {}) {
    const made = await createAnswered(options)
    scene = made.scene
    return made
  }

  /** A scripted peer that we called has answered with these headers. */
  async function called(headers: HeaderPairs) {
    const made = withScriptedPeer({ sessionSeconds: 300 })
    const leg = made.near.call()
    await settle()
    const response = described(20)
    made.far.answer(made.far.last('INVITE'), 200, {
      ...response,
      headers: [...response.headers, ...headers],
    })
    await settle()
    return { ...made, leg }
  }

  return { openScene, withScriptedPeer, answered, called }
}
