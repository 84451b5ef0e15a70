/** The verbs of the command line, each loaded when it is typed. */
import type { Config } from '../config.ts'

/** Returns the exit code. What it throws is a sentence for standard error, with exit code 1 (D460). */
type Verb = { usage: string } & (
  | { run: (config: Config, args: string[]) => Promise<number> }
  /** D570: asks a service elsewhere. Settings of the service, or of another program with such names, mean nothing to it. */
  | { runRemote: (env: NodeJS.ProcessEnv, args: string[]) => Promise<number> }
)

export const verbs: Record<string, { about: string; load: () => Promise<Verb> }> = {
  serve: { about: 'run the service', load: () => import('./serve.ts') },
  migrate: { about: 'bring the database to its newest shape', load: () => import('./data/migrate.ts') },
  doctor: {
    about: 'check what the service needs and say what to do',
    load: () => import('./doctor/doctor.ts'),
  },
  nodes: { about: 'the processes of the service and what they carry', load: () => import('./nodes.ts') },
  drain: { about: 'a node takes no new calls; live ones go on', load: () => import('./drain.ts') },
  account: {
    about:
      'account create: an active account and its token; account limits: what it may do; account suspend, release',
    load: () => import('./accounts/account.ts'),
  },
  user: {
    about: 'user password, user second-factor off: for a user who is locked out',
    load: () => import('./accounts/user.ts'),
  },
  operator: {
    about: 'operator add, operator list, operator reset, operator off, operator on: who operates the service',
    load: () => import('./accounts/operator.ts'),
  },
  secret: {
    about: 'secret rotate: a new secret key, everything re-encrypted',
    load: () => import('./data/secret.ts'),
  },
  key: {
    about: 'key reset: another secret key for a database whose own is lost',
    load: () => import('./data/key.ts'),
  },
  number: {
    about: 'number assign, number release, number list: whose number it is',
    load: () => import('./accounts/number.ts'),
  },
  recording: {
    about: 'recording export: the sound of a call as a file, decrypted',
    load: () => import('./data/recording.ts'),
  },
  rates: {
    about: 'rates import, rates export: what calls cost, as a sheet',
    load: () => import('./accounts/rates.ts'),
  },
  backup: {
    about: 'everything in the database in a folder, while it runs',
    load: () => import('./data/backup.ts'),
  },
  restore: { about: 'read a backup into an empty database', load: () => import('./data/restore.ts') },
  upgrade: {
    about: 'move the embedded database to a newer major version of PostgreSQL',
    load: () => import('./data/upgrade.ts'),
  },
  console: {
    about: 'console build: the web console, before the service starts',
    load: () => import('./console.ts'),
  },
  ledger: { about: 'ledger verify: prove that the books add up', load: () => import('./data/ledger.ts') },
  credit: {
    about: 'credit add, credit refund: by hand, with a reason',
    load: () => import('./accounts/credit.ts'),
  },
  phone: { about: 'a softphone at the terminal', load: () => import('./phone/phone.ts') },
  listen: {
    about: 'events of an account at your own receiver, without a tunnel',
    load: () => import('./remote/listen.ts'),
  },
  trigger: {
    about: 'an event that never happened, for your own receiver',
    load: () => import('./remote/trigger.ts'),
  },
  mcp: {
    about: 'tools for assistants, by the Model Context Protocol',
    load: () => import('./remote/mcp.ts'),
  },
  sandbox: {
    about: 'an account, a token, an extension and numbers to try the API with',
    load: () => import('./remote/sandbox.ts'),
  },
  demo: {
    about: 'sign up, call, record and receive webhooks, in a quarter of a minute',
    load: () => import('./demo/demo.ts'),
  },
}
