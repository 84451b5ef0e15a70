/** Runs the service until a signal asks it to stop. */
import type { App } from '../app/start.ts'
import { risksOf } from '../config/risks.ts'
import type { Config } from '../config.ts'
import { consolePath, operatorPath } from '../http/console/console-routes.ts'
import { basePath } from '../http/entry.ts'
import { command } from '../kit/process/command.ts'
import { setHeapFlags } from '../kit/process/heap-flags.ts'
import { createLog, type Log } from '../kit/process/log.ts'
import { refuseTakenPorts } from './ports.ts'
import { leaveRoot } from './root.ts'
import { say } from './say.ts'
import { nextStopSignal } from './stop-signals.ts'
import { refuseOptions } from './usage.ts'

export const usage = `Usage: ${command} serve

Runs the service until Ctrl-C or SIGTERM; live calls may end first (DRAIN_SECONDS), a second Ctrl-C does not wait for
them. Settings are environment variables: docs/configuration.md.`

export async function run(config: Config, args: string[]): Promise<number> {
  refuseOptions(args)
  const asRoot = leaveRoot(config)
  await refuseTakenPorts(config)
  const signal = nextStopSignal()
  const began = performance.now()
  const log = createLog(config.logLevel, { format: config.logFormat })
  for (const risk of [...(asRoot ? [asRoot] : []), ...risksOf(config)]) log.warn(risk)
  const app = await start(config, log)
  setHeapFlags()
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  const lines = addressesOf(app).map(([name, address]) => `  ${name.padEnd(10)}  ${address}`)
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
async function start(config: Config, log: Log): Promise<App> {
  const { startDatabase } = await import('../store/start-database.ts')
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

function addressesOf(app: App): [name: string, address: string][] {
  const { url, consoleBuild, hasApi, hasMailbox, operatorToken, phoneAddresses } = app
  // D109: one that the service made; that of the operator is not repeated.
  const query = operatorToken?.made ? `?token=${operatorToken.token}` : ''
  return [
    ...(consoleBuild ? pairs({ Console: `${url}${consolePath}${hasMailbox ? query : ''}` }) : []),
    ...(consoleBuild && operatorToken ? pairs({ Operator: `${url}${operatorPath}${query}` }) : []),
    ...(hasApi
      ? pairs({ API: `${url}${basePath}`, Reference: `${url}/docs` })
      : pairs({ Ready: `${url}/ready` })),
    ...(hasMailbox ? pairs({ Mailbox: `${url}/mailbox${query}` }) : []),
    ...pairs(phoneAddresses()),
  ]
}

const pairs = (addresses: Record<string, string>) => Object.entries(addresses)

/** The console first: it is what a person who has just started the service can do without reading anything. */
export function nextSteps(
  { consoleBuild, hasMailbox }: Pick<App, 'hasMailbox'> & { consoleBuild: unknown },
  { accountDomainSuffix }: Pick<Config, 'accountDomainSuffix'>,
): string {
  const creation = `${command} account create --domain demo${accountDomainSuffix} --email you@example.com
      makes an account that is active at once and prints its access token; ${command} sandbox makes one
      to try the API with, an extension included.`
  if (!consoleBuild) return creation
  const mail = hasMailbox ? '; the mail with its link comes to the mailbox' : ''
  return `open the console and sign up${mail}.\n      Or: ${creation}`
}

const waiting = (calls: number, { drainSeconds }: Config) =>
  `; waiting for ${calls} live ${calls === 1 ? 'call' : 'calls'}, ${drainSeconds} s at most`

/** A terminal's Ctrl-C reaches us twice, by npm and by itself: what comes within a moment is the same. */
const sameSignalMs = 500
