/** `ramal <verb>`: reads the environment once and hands over to the verb. */

import { complain, say } from './cli/say.ts'
import { endWithParent } from './cli/stop-signals.ts'
import { asksForHelp, UsageError } from './cli/usage.ts'
import { readConfig } from './config.ts'
import { command } from './kit/process/command.ts'

type Verb = {
  usage: string
  /** Returns the exit code. What it throws is a sentence for standard error, with exit code 1 (D460). */
  run: (config: ReturnType<typeof readConfig>, args: string[]) => Promise<number>
}

const verbs: Record<string, { about: string; load: () => Promise<Verb> }> = {
  serve: { about: 'run the service', load: () => import('./cli/serve.ts') },
  migrate: { about: 'bring the database to its newest shape', load: () => import('./cli/data/migrate.ts') },
  doctor: {
    about: 'check what the service needs and say what to do',
    load: () => import('./cli/doctor/doctor.ts'),
  },
  nodes: { about: 'the processes of the service and what they carry', load: () => import('./cli/nodes.ts') },
  drain: { about: 'a node takes no new calls; live ones go on', load: () => import('./cli/drain.ts') },
  account: {
    about: 'account create: an active account and its token; account limits: what it may do',
    load: () => import('./cli/accounts/account.ts'),
  },
  user: {
    about: 'user password, user second-factor off: for a user who is locked out',
    load: () => import('./cli/accounts/user.ts'),
  },
  secret: {
    about: 'secret rotate: a new secret key, everything re-encrypted',
    load: () => import('./cli/data/secret.ts'),
  },
  key: {
    about: 'key reset: another secret key for a database whose own is lost',
    load: () => import('./cli/data/key.ts'),
  },
  number: {
    about: 'number assign, number release, number list: whose number it is',
    load: () => import('./cli/accounts/number.ts'),
  },
  recording: {
    about: 'recording export: the sound of a call as a file, decrypted',
    load: () => import('./cli/data/recording.ts'),
  },
  rates: {
    about: 'rates import, rates export: what calls cost, as a sheet',
    load: () => import('./cli/accounts/rates.ts'),
  },
  backup: {
    about: 'everything in the database in a folder, while it runs',
    load: () => import('./cli/data/backup.ts'),
  },
  restore: { about: 'read a backup into an empty database', load: () => import('./cli/data/restore.ts') },
  upgrade: {
    about: 'move the embedded database to a newer major version of PostgreSQL',
    load: () => import('./cli/data/upgrade.ts'),
  },
  console: {
    about: 'console build: the web console, before the service starts',
    load: () => import('./cli/console.ts'),
  },
  ledger: { about: 'ledger verify: prove that the books add up', load: () => import('./cli/data/ledger.ts') },
  credit: {
    about: 'credit add, credit refund: by hand, with a reason',
    load: () => import('./cli/accounts/credit.ts'),
  },
  phone: { about: 'a softphone at the terminal', load: () => import('./cli/phone/phone.ts') },
  demo: {
    about: 'sign up, call, record and receive webhooks, in a quarter of a minute',
    load: () => import('./cli/demo/demo.ts'),
  },
}

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
    const { run, usage } = await verb.load()
    if (!asksForHelp(args)) return await run(readConfig(process.env), args)
    say(usage)
    return 0
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
