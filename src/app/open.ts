/** Opens what a process needs whatever its roles: certificate, console, database, services and rate counters. */
import type { Config } from '../config.ts'
import { startConsoleBuild } from '../http/console/console-build.ts'
import { createSessionCookie } from '../http/server/session-cookie.ts'
import { createClosers } from '../kit/process/closers.ts'
import { createLog } from '../kit/process/log.ts'
import { openHttps } from './process/https.ts'
import { chooseRateCounters } from './services/adapters.ts'
import { type Overrides, openServices } from './services/services.ts'

export async function openProcess(config: Config, overrides: Overrides) {
  const https = await openHttps(config)
  const log = overrides.log ?? createLog(config.logLevel, { format: config.logFormat })
  const closers = createClosers((error) => log.error({ err: error }, 'background work failed'))
  try {
    // It is built while the database starts; one that is built already is there from the first request on.
    const consoleBuild = config.console ? startConsoleBuild({ dataDir: config.dataDir, log }) : undefined
    if (consoleBuild) closers.add(consoleBuild.stop)
    const services = await openServices(config, { ...overrides, log })
    closers.add(services.close)
    await consoleBuild?.looked
    const { clock, addresses } = services.base
    const rateCounters = await chooseRateCounters(config, { clock, log })
    closers.add(() => rateCounters?.close())
    const sessionCookie = createSessionCookie(addresses.publicUrl().startsWith('https:'))
    return { config, https, services, consoleBuild, rateCounters, sessionCookie, closers }
  } catch (error) {
    await closers.close()
    throw error
  }
}
export type Opened = Awaited<ReturnType<typeof openProcess>>
