/** Seconds from the start command until the service is ready. */
import { join } from 'node:path'
import { median } from './parts/rounds.ts'
import { inFolder, startService } from './parts/service.ts'
import type { Result } from './parts/table.ts'

const rounds = 5

export async function start(): Promise<Result[]> {
  const first: number[] = []
  const later: number[] = []
  for (let round = 0; round < rounds; round++) {
    await inFolder(async (folder) => {
      first.push(await secondsToReady(folder))
      later.push(await secondsToReady(folder))
    })
  }
  return [absolute('start, first', first, { below: 2.5 }), absolute('start, later', later, { below: 1 })]
}

async function secondsToReady(folder: string): Promise<number> {
  // The compile cache of a first start is empty too.
  const service = await startService({ folder, env: { NODE_COMPILE_CACHE: join(folder, 'compiled') } })
  await service.stop()
  return service.readyAfterSeconds
}

function absolute(name: string, values: number[], target: { below: number }): Result {
  return { name, measured: `${median(values).toFixed(2)} s`, baseline: '', values, unit: 's', target }
}
