/** Runs the service until a signal asks it to stop. */
import { startApp } from '../app.ts'
import type { Config } from '../config.ts'
import { basePath } from '../http/entry.ts'
import { say } from './say.ts'

export async function run(config: Config): Promise<number> {
  const began = performance.now()
  const signal = firstSignal()
  const app = await startApp(config)
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  say(`
Ramal is ready (${seconds} s)

  API        ${app.url}${basePath}
  Reference  ${app.url}/docs${app.hasMailbox ? `\n  Mailbox    ${app.url}/mailbox` : ''}

Next: ${nextCommand(config)}
`)
  const name = await signal
  say(`${name}: finishing what was asked, then stopping`)
  await app.stop()
  return 0
}

function nextCommand(config: Config): string {
  return `npm run ramal -- account create --domain demo${config.accountDomainSuffix} --email you@example.com
      makes an account that is active at once and prints its access token. README.md has a tour.`
}

/** Later ones change nothing: a terminal's Ctrl-C may reach us twice. */
function firstSignal(): Promise<string> {
  return new Promise((resolve) => {
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => resolve(name))
  })
}
