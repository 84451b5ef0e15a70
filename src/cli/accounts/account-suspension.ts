/** `account suspend` and `account release` (D616). The running service ends the calls of the account within seconds. */
import type { Config } from '../../config.ts'
import { command } from '../../kit/process/command.ts'
import { openForCommand } from '../open-services.ts'
import { say } from '../say.ts'
import { readOptions, UsageError } from '../usage.ts'

export const suspensionUsage = `       ${command} account suspend <domain> --reason <text> [--revoke-tokens]
       ${command} account release <domain> --reason <text>

Suspending ends the calls, sessions and registrations of the account, and refuses new calls, log-ins, requests and
registrations until it is released. Its ADMINs get a mail with the reason. --revoke-tokens deletes its access tokens too;
without it they work again after the release.`

const optionTypes = { reason: { type: 'string' }, 'revoke-tokens': { type: 'boolean' } } as const

export async function runSuspension(
  config: Config,
  verb: 'suspend' | 'release',
  args: string[],
): Promise<number> {
  const { values, positionals } = readOptions({ args, options: optionTypes, allowPositionals: true })
  const [domain, ...rest] = positionals
  const reason = values.reason?.trim() ?? ''
  const revokesTokens = values['revoke-tokens'] ?? false
  if (domain === undefined || rest.length > 0) throw new UsageError('The domain of one account is needed.')
  if (reason === '') throw new UsageError('--reason is needed: it is recorded.')
  const services = await openForCommand(config)
  try {
    const { suspensions } = services
    const found =
      verb === 'suspend'
        ? await suspensions.suspend(domain, { reason, revokesTokens })
        : await suspensions.release(domain, reason)
    if (found === undefined) throw new Error(`There is no account ${domain}.`)
    say(
      found
        ? `${domain} is suspended since ${found.since.toISOString()}: ${found.reason}`
        : `${domain} is not suspended.`,
    )
    return 0
  } finally {
    await services.close()
  }
}
