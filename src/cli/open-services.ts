/** The services for a command beside the running service. They are loaded late: help and refused options need none. */
import type { Services } from '../app/services/services.ts'
import type { Config } from '../config.ts'
import { createLog } from '../kit/process/log.ts'

export async function openForCommand(config: Config): Promise<Services> {
  const { openServices } = await import('../app/services/services.ts')
  return await openServices(config, { log: createLog('error') })
}
