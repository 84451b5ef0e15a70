/** Runs the service until a signal asks it to stop. */
import type { App } from '../app/start.ts'
import type { Config } from '../config.ts'
import { consolePath, operatorPath } from '../http/console/console-routes.ts'
import { basePath } from '../http/entry.ts'
import { lowerCollectorPriority } from '../kit/collector-priority.ts'
import { command } from '../kit/command.ts'
import { createLog } from '../kit/log.ts'
import { refuseTakenPorts } from './ports.ts'
import { say } from './say.ts'
import { nextStopSignal } from './stop-signals.ts'
import { refuseOptions } from './usage.ts'

export const usage = `Usage: ${command} serve

Runs the service until Ctrl-C or SIGTERM; live calls may end first (DRAIN_SECONDS), a second Ctrl-C does not wait for
them. Settings are environment variables: docs/configuration.md.`

export async function run(config: Config, args: string[]): Promise<number> {
  refuseOptions(args)
  await refuseTakenPorts(config)
  lowerCollectorPriority()
  const signal = nextStopSignal()
  const began = performance.now()
  const app = await start(config)
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  const lines = addressesOf(app, config).map(([name, address]) => `  ${name.padEnd(10)}  ${address}`)
  say(`
Ramal is ready (${seconds} s)

${lines.join('\n')}
${app.hasApi ? `\nNext: ${nextSteps(app, config)}\n` : ''}`)
  const name = await signal
  const calls = app.liveCalls()
  say(`${name}: finishing what was asked, then stopping${calls > 0 ? waiting(calls, config) : ''}`)
  await Promise.race([app.drain(), nextStopSignal(sameSignalMs)])
  await app.stop()
  return 0
}

/** Loaded late: help and a refused option need nothing of it. The database starts while the service is loaded. */
async function start(config: Config): Promise<App> {
  const { startDatabase } = await import('../store/start-database.ts')
  const log = createLog(config.logLevel, { format: config.logFormat })
  const database = startDatabase(config, log)
  // Its failure is that of the start below.
  database.catch(() => {})
  try {
    const { startApp } = await import('../app/start.ts')
    return await startApp(config, { log, database })
  } catch (error) {
    const started = await database.catch(() => undefined)
    await started?.stop()
    throw error
  }
}

function addressesOf(
  { url, consoleBuild, hasApi, hasMailbox, phoneAddresses }: App,
  { operatorPages, operatorToken }: Config,
): [name: string, address: string][] {
  const hasOperator = consoleBuild !== undefined && (operatorPages || operatorToken !== undefined)
  return [
    ...(consoleBuild ? pairs({ Console: `${url}${consolePath}` }) : []),
    ...(hasOperator ? pairs({ Operator: `${url}${operatorPath}` }) : []),
    ...(hasApi
      ? pairs({ API: `${url}${basePath}`, Reference: `${url}/docs` })
      : pairs({ Ready: `${url}/ready` })),
    ...(hasMailbox ? pairs({ Mailbox: `${url}/mailbox` }) : []),
    ...pairs(phoneAddresses()),
  ]
}

const pairs = (addresses: Record<string, string>) => Object.entries(addresses)

/** The console first: it is what a person who has just started the service can do without reading anything. */
export function nextSteps(
  { url, consoleBuild, hasMailbox }: Pick<App, 'url' | 'hasMailbox'> & { consoleBuild: unknown },
  { accountDomainSuffix }: Pick<Config, 'accountDomainSuffix'>,
): string {
  const creation = `${command} account create --domain demo${accountDomainSuffix} --email you@example.com
      makes an account that is active at once and prints its access token. README.md has a tour.`
  if (!consoleBuild) return creation
  const mail = hasMailbox ? `; the mail with its link is in ${url}/mailbox` : ''
  return `open ${url}${consolePath} and sign up${mail}.\n      Or: ${creation}`
}

const waiting = (calls: number, { drainSeconds }: Config) =>
  `; waiting for ${calls} live ${calls === 1 ? 'call' : 'calls'}, ${drainSeconds} s at most`

/** A terminal's Ctrl-C reaches us twice, by npm and by itself: what comes within a moment is the same. */
const sameSignalMs = 500
