/** `ramal <verb>`: reads the environment once and hands over to the verb. */

import { say } from './cli/say.ts'
import { readConfig } from './config.ts'

const verbs: Record<string, { about: string; load: () => Promise<{ run: Verb }> }> = {
  serve: { about: 'run the service', load: () => import('./cli/serve.ts') },
  migrate: { about: 'bring the database to its newest shape', load: () => import('./cli/migrate.ts') },
  doctor: { about: 'check what the service needs and say what to do', load: () => import('./cli/doctor.ts') },
  account: {
    about: 'account create: make an active account, print its token',
    load: () => import('./cli/account.ts'),
  },
  rates: {
    about: 'rates import, rates export: what calls cost, as a sheet',
    load: () => import('./cli/rates.ts'),
  },
  ledger: { about: 'ledger verify: prove that the books add up', load: () => import('./cli/ledger.ts') },
  credit: {
    about: 'credit add, credit refund: by hand, with a reason',
    load: () => import('./cli/credit.ts'),
  },
  phone: { about: 'a softphone at the terminal', load: () => import('./cli/phone.ts') },
  demo: {
    about: 'sign up, call, record and receive webhooks, in a quarter of a minute',
    load: () => import('./cli/demo.ts'),
  },
}

type Verb = (config: ReturnType<typeof readConfig>, args: string[]) => Promise<number>

const [name = '', ...args] = process.argv.slice(2)
const verb = Object.hasOwn(verbs, name) ? verbs[name] : undefined

if (verb) {
  try {
    const { run } = await verb.load()
    process.exitCode = await run(readConfig(process.env), args)
  } catch (error) {
    say(error instanceof Error ? error.message : String(error))
    if (process.env.LOG_LEVEL === 'debug' && error instanceof Error) say(error.stack ?? '')
    process.exitCode = 1
  }
} else {
  say('Usage: npm run ramal -- <verb>\n')
  for (const [word, { about }] of Object.entries(verbs)) say(`  ${word.padEnd(9)}${about}`)
  process.exitCode = name === '' || name === 'help' ? 0 : 2
}
