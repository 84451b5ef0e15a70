/** `account limits`: shows what an account may do, and changes it (D193 to D195). */

import type { Services } from '../../app/services/services.ts'
import type { Config } from '../../config.ts'
import type { LimitSource } from '../../contract/accounts/account-limits.ts'
import { defined } from '../../kit/defined.ts'
import { command } from '../../kit/process/command.ts'
import { formatCentavos, readCentavos } from '../../kit/text/money.ts'
import type { AccountLimits } from '../../limits/limit.ts'
import type { LimitChange } from '../../limits/limits.ts'
import { isRange, ranges } from '../../limits/ranges.ts'
import { openForCommand } from '../open-services.ts'
import { say } from '../say.ts'
import { readOptions, UsageError } from '../usage.ts'

export const limitsUsage = `       ${command} account limits <domain> [--calls-at-once <n>] [--calls-per-extension <n>]
         [--calls-per-day <n>] [--spend-per-day <reais>] [--international on|off]
         [--allow <prefix>]... [--bar <prefix>]... [--proven on|off]

Shows what the account may do and what it has used today, after the changes that are given. \`default\` in place of
a value goes back to the setting. --allow enables a range that is off, such as 4470; --bar turns it off again.
--proven on stands for a tax id or a payment.`

const optionTypes = {
  'calls-at-once': { type: 'string' },
  'calls-per-extension': { type: 'string' },
  'calls-per-day': { type: 'string' },
  'spend-per-day': { type: 'string' },
  international: { type: 'string' },
  allow: { type: 'string', multiple: true },
  bar: { type: 'string', multiple: true },
  proven: { type: 'string' },
} as const

export async function runLimits(config: Config, args: string[]): Promise<number> {
  const { domain, change } = readChange(args)
  const services = await openForCommand(config)
  try {
    const found = await services.limits.limits.change(domain, change)
    if (!found) throw new Error(`There is no account ${domain}.`)
    await show(services, domain, found)
    return 0
  } finally {
    await services.close()
  }
}

function readChange(args: string[]): { domain: string; change: LimitChange } {
  const { values, positionals } = readOptions({ args, options: optionTypes, allowPositionals: true })
  const [domain, ...rest] = positionals
  if (domain === undefined || rest.length > 0) throw new UsageError('The domain of one account is needed.')
  const count = (option: 'calls-at-once' | 'calls-per-extension' | 'calls-per-day') =>
    readValue(`--${option}`, values[option], 'a whole number', readCount)
  const atOnce = count('calls-at-once')
  const perExtension = count('calls-per-extension')
  const calls = count('calls-per-day')
  const spending = readValue(
    '--spend-per-day',
    values['spend-per-day'],
    'an amount such as 50.00',
    readAmount,
  )
  const international = readValue('--international', values.international, 'on or off', readSwitch)
  const proven = readValue('--proven', values.proven, 'on or off', readSwitch)
  const { allow, bar } = values
  for (const prefix of [...(allow ?? []), ...(bar ?? [])]) {
    if (!isRange(prefix)) throw new UsageError(`${prefix} is no range. The ranges are:\n${listRanges()}`)
  }
  if (proven === null) throw new UsageError('--proven must be on or off.')
  const change: LimitChange = {
    ...defined({
      callsAtOnce: atOnce,
      callsAtOncePerExtension: perExtension,
      callsPerDay: calls,
      spendingPerDay: spending,
      international,
      proven,
    }),
    ...(allow && { allow }),
    ...(bar && { bar }),
  }
  return { domain, change }
}

const listRanges = () => ranges.map(({ prefix, name }) => `  ${prefix.padEnd(8)}${name.en}`).join('\n')

/** Undefined if it is not given, null for the default. */
function readValue<T>(
  option: string,
  text: string | undefined,
  form: string,
  read: (text: string) => T | undefined,
): T | null | undefined {
  if (text === undefined) return undefined
  if (text === 'default') return null
  const value = read(text)
  if (value === undefined) throw new UsageError(`${option} must be ${form}, or default.`)
  return value
}

const readCount = (text: string) => (/^\d{1,9}$/.test(text) ? Number(text) : undefined)

function readAmount(text: string) {
  const amount = readCentavos(text)
  return amount !== undefined && amount >= 0 ? amount : undefined
}

const readSwitch = (text: string) => (text === 'on' ? true : text === 'off' ? false : undefined)

const sources: Record<LimitSource, string> = {
  account: 'set for this account',
  'new-account': 'default of accounts that are not proven',
  default: 'default',
}

type Found = { accountId: number; limits: AccountLimits }

async function show({ money }: Services, domain: string, { accountId, limits }: Found) {
  const { calls, spent, reserved, day } = await money.ledger.dailyUse({ accountId })
  const { proof, callsAtOnce, callsPerDay, spendingPerDay, international } = limits
  const allowed = ranges.filter(({ prefix }) => limits.ranges.has(prefix))
  say(`Account           ${domain}`)
  say(`Proven            ${proof ? `by ${proof.by}, ${proof.at.toISOString()}` : 'no'}`)
  const { account, extension } = callsAtOnce.value
  say(`Calls at once     ${account}, and ${extension} for an extension (${sources[callsAtOnce.source]})`)
  say(`Calls a day       ${callsPerDay.value} (${sources[callsPerDay.source]}), ${calls} used`)
  say(
    `Spending a day    ${formatCentavos(spendingPerDay.value)} (${sources[spendingPerDay.source]}), ${formatCentavos(spent + reserved)} used`,
  )
  say(`Day               ${day ? `until ${day.ends.toISOString()}` : 'begins with the next call'}`)
  say(`Other countries   ${international.value ? 'on' : 'off'} (${sources[international.source]})`)
  say(`Ranges enabled    ${allowed.map(({ prefix, name }) => `+${prefix} ${name.en}`).join(', ') || 'none'}`)
}
