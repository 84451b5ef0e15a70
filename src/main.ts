/** `ramal <verb>`: reads the environment once and hands over to the verb. */

import { complain, say } from './cli/say.ts'
import { endWithParent } from './cli/stop-signals.ts'
import { asksForHelp, UsageError } from './cli/usage.ts'
import { verbs } from './cli/verbs.ts'
import { readConfig } from './config.ts'
import { command } from './kit/process/command.ts'

endWithParent(process.env)
// A reader that goes away (a closed terminal, `| head`) ends nothing: a service has calls to end and a database to stop.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
// Not awaited: in the bundle (D340) verbs import from this file what they share with it, and would wait for its end.
void runVerb(process.argv.slice(2)).then((code) => {
  process.exitCode = code
})

async function runVerb([name = '', ...args]: string[]): Promise<number> {
  if (name === '' || name === '--help' || name === '-h') return showVerbs()
  if (name === '--version') return await showVersion()
  if (name === 'help') return args[0] === undefined ? showVerbs() : await runVerb([args[0], '--help'])
  const verb = Object.hasOwn(verbs, name) ? verbs[name] : undefined
  if (!verb) {
    complain(`There is no verb ${name}.\nSee: ${command} --help`)
    return 2
  }
  try {
    const loaded = await verb.load()
    if (asksForHelp(args)) {
      say(loaded.usage)
      return 0
    }
    if ('runRemote' in loaded) return await loaded.runRemote(process.env, args)
    return await loaded.run(readConfig(process.env), args)
  } catch (error) {
    complain(error instanceof Error ? error.message : String(error))
    if (error instanceof UsageError) {
      complain(`See: ${command} ${name} --help`)
      return 2
    }
    if (process.env.LOG_LEVEL === 'debug' && error instanceof Error) complain(error.stack ?? '')
    return 1
  }
}

async function showVersion(): Promise<number> {
  const { version } = await import('./http/version.ts')
  say(version)
  return 0
}

function showVerbs(): number {
  say(`Usage: ${command} <verb>\n`)
  for (const [word, { about }] of Object.entries(verbs)) say(`  ${word.padEnd(9)}${about}`)
  say(`\n${command} <verb> --help says more about one of them; --version is that of the service.`)
  return 0
}
