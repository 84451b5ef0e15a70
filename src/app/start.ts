/**
 * Starts the service with the roles of this process (D128: ROLES): opens what they need, reports whether it is ready, and
 * closes everything in reverse.
 */
import type { Config } from '../config.ts'
import { joinFleet } from './join.ts'
import { createNode } from './node.ts'
import { openProcess } from './open.ts'
import { serve } from './serve.ts'
import type { Overrides } from './services/services.ts'

export async function startApp(config: Config, overrides: Overrides = {}) {
  const opened = await openProcess(config, overrides)
  const { services, consoleBuild, closers } = opened
  try {
    const created = createNode(opened, overrides)
    const jobs = await joinFleet(opened, created)
    const { url, hasMailbox, operatorToken } = await serve(opened, created, overrides.listen)
    closers.add(created.refuseWork)
    const { node, api, worker, voice, lease, keyHolder, phoneAddresses, drain } = created
    return {
      services,
      node,
      keyHolder,
      lease,
      voice,
      worker,
      jobs,
      url,
      hasApi: api !== undefined,
      consoleBuild,
      hasMailbox,
      operatorToken,
      phoneAddresses,
      liveCalls: () => voice?.node.engine.liveCalls().length ?? 0,
      drain,
      stop: closers.close,
    }
  } catch (error) {
    await closers.close()
    throw error
  }
}
export type App = Awaited<ReturnType<typeof startApp>>
