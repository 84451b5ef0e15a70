/** Runs the service until a signal asks it to stop. */
import { startApp } from '../app.ts'
import type { Config } from '../config.ts'
import { basePath } from '../http/entry.ts'
import { say } from './say.ts'

export async function run(config: Config): Promise<number> {
  const began = performance.now()
  const signal = nextSignal()
  const app = await startApp(config)
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  say(`
Ramal is ready (${seconds} s)

  API        ${app.url}${basePath}
  Reference  ${app.url}/docs${app.hasMailbox ? `\n  Mailbox    ${app.url}/mailbox` : ''}
${Object.entries(app.voice.engine.addresses())
  .map(([name, address]) => `  ${name.padEnd(9)}  ${address}\n`)
  .join('')}
Next: ${nextCommand(config)}
`)
  const name = await signal
  const calls = app.voice.engine.liveCalls().length
  say(`${name}: finishing what was asked, then stopping${calls > 0 ? waiting(calls, config) : ''}`)
  await Promise.race([app.voice.drain(config.drainSeconds), nextSignal(sameSignalMs)])
  await app.stop()
  return 0
}

function nextCommand(config: Config): string {
  return `npm run ramal -- account create --domain demo${config.accountDomainSuffix} --email you@example.com
      makes an account that is active at once and prints its access token. README.md has a tour.`
}

const waiting = (calls: number, { drainSeconds }: Config) =>
  `; waiting for ${calls} live ${calls === 1 ? 'call' : 'calls'}, ${drainSeconds} s at most`

/** A terminal's Ctrl-C reaches us twice, by npm and by itself: what comes within a moment is the same. */
const sameSignalMs = 500

function nextSignal(notBeforeMs = 0): Promise<string> {
  const asked = performance.now()
  return new Promise((resolve) => {
    for (const name of ['SIGINT', 'SIGTERM'] as const) {
      process.on(name, () => {
        if (performance.now() - asked >= notBeforeMs) resolve(name)
      })
    }
  })
}
