/** What calls cost: statements, WAL, and the CPU time of the service and of its database. */
import type { FullService } from '../full-service/full-service.ts'
import { cpuSeconds, cpuSecondsWithChildren, familyOf } from '../process-figures.ts'

export type Costs = {
  statements: number
  walBytes: number
  /** In seconds. */
  serviceCpu: number
  databaseCpu: number
}

async function readCosts({ pid, ask }: FullService): Promise<Costs> {
  const database = familyOf(pid).filter((one) => one !== pid)
  return {
    ...(await ask('costs')),
    serviceCpu: cpuSeconds(pid),
    databaseCpu: database.reduce((sum, one) => sum + cpuSecondsWithChildren(one), 0),
  }
}

/** Runs the work; `countOf` is the number of calls in it. Returns the costs of one call. */
export async function costsOf<T>(
  service: FullService,
  work: () => Promise<T>,
  countOf: (result: T) => number,
): Promise<{ result: T; costs: Costs }> {
  const before = await readCosts(service)
  const result = await work()
  const after = await readCosts(service)
  const each = (name: keyof Costs) => (after[name] - before[name]) / countOf(result)
  return {
    result,
    costs: {
      statements: each('statements'),
      walBytes: each('walBytes'),
      serviceCpu: each('serviceCpu'),
      databaseCpu: each('databaseCpu'),
    },
  }
}
