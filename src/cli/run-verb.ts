/** Runs the verb of a command line and returns its exit code; what it throws is a sentence on standard error (D460). */
import { readConfig } from '../config.ts'
import { command } from '../kit/process/command.ts'
import { complain, say } from './say.ts'
import { asksForHelp, UsageError } from './usage.ts'
import { verbs } from './verbs.ts'

export async function runVerb(env: NodeJS.ProcessEnv, [name = '', ...args]: string[]): Promise<number> {
  if (name === '' || name === '--help' || name === '-h') return showVerbs()
  if (name === '--version') return await showVersion()
  if (name === 'help') return args[0] === undefined ? showVerbs() : await runVerb(env, [args[0], '--help'])
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
    if ('runRemote' in loaded) return await loaded.runRemote(env, args)
    return await loaded.run(readConfig(env), args)
  } catch (error) {
    complain(error instanceof Error ? error.message : String(error))
    if (error instanceof UsageError) {
      complain(`See: ${command} ${name} --help`)
      return 2
    }
    if (env.LOG_LEVEL === 'debug' && error instanceof Error) complain(error.stack ?? '')
    return 1
  }
}

async function showVersion(): Promise<number> {
  const { version } = await import('../http/version.ts')
  say(version)
  return 0
}

function showVerbs(): number {
  say(`Usage: ${command} <verb>\n`)
  const width = Math.max(...Object.keys(verbs).map((word) => word.length)) + 2
  for (const [word, { about }] of Object.entries(verbs)) say(`  ${word.padEnd(width)}${about}`)
  say(`\n${command} <verb> --help says more about one of them; --version is that of the service.`)
  return 0
}
