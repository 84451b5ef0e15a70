/** `account create`: an active account with an ADMIN; its access token is printed once. Other verbs are beside it. */
import type { Config } from '../../config.ts'
import { randomBase62 } from '../../kit/ids.ts'
import { command } from '../../kit/process/command.ts'
import { openForCommand } from '../open-services.ts'
import { say } from '../say.ts'
import { readOptions, UsageError } from '../usage.ts'
import { limitsUsage, runLimits } from './account-limits.ts'
import { runSuspension, suspensionUsage } from './account-suspension.ts'

export const usage = `Usage: ${command} account create --domain <name><suffix> --email <address>
         [--name <company>] [--phone <number>] [--password <password>]

Makes an active account with an ADMIN and prints the access token, once. Without --password one is made up
and printed too. The suffix is that of ACCOUNT_DOMAIN_SUFFIX.

${limitsUsage}

${suspensionUsage}`

const optionTypes = {
  domain: { type: 'string' },
  email: { type: 'string' },
  name: { type: 'string' },
  phone: { type: 'string', default: '+55 11 3333-4444' },
  password: { type: 'string' },
} as const

export async function run(config: Config, args: string[]): Promise<number> {
  const [verb, ...rest] = args
  if (verb === 'limits') return await runLimits(config, rest)
  if (verb === 'suspend' || verb === 'release') return await runSuspension(config, verb, rest)
  const options = readAccount(args)
  const services = await openForCommand(config)
  try {
    const made = await services.accounts.signups.createActive({
      organizationName: options.name,
      domain: options.domain,
      email: options.email,
      password: options.password,
      phone: options.phone,
      crm: 'Outros',
      userQuantity: '1-5',
    })
    say(`Account   ${made.account.domain}`)
    say(`User      ${made.user.email} (ADMIN)`)
    if (options.generated) say(`Password  ${options.password}`)
    say(`Token     ${made.more.id}`)
    say('\nKeep the token: it is not shown again and never expires.')
    return 0
  } finally {
    await services.close()
  }
}

function readAccount(args: string[]) {
  const { values, positionals } = readOptions({ args, options: optionTypes, allowPositionals: true })
  const { domain, email } = values
  if (positionals.join(' ') !== 'create')
    throw new UsageError(
      'The commands are `account create`, and `account limits`, `suspend` and `release` with a domain.',
    )
  if (!domain || !email) throw new UsageError('--domain and --email are needed.')
  const password = values.password ?? randomBase62(20)
  const name = values.name ?? domain.split('.', 1)[0] ?? domain
  return { ...values, domain, email, name, password, generated: values.password === undefined }
}
