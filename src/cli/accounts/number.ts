/** `number assign`, `number release` and `number list`: which account may present which telephone number. */
import type { Services } from '../../app/services/services.ts'
import type { Config } from '../../config.ts'
import { command } from '../../kit/process/command.ts'
import { readPhone } from '../../kit/text/phone.ts'
import { openForCommand } from '../open-services.ts'
import { say } from '../say.ts'
import { readOptions, UsageError } from '../usage.ts'

export const usage = `Usage: ${command} number assign <number> --account <domain>
       ${command} number release <number>
       ${command} number list [--account <domain>]

assign makes the number one that the account may present to those it calls, and that rings its extensions;
release takes it back, whichever way it was verified. list shows all numbers, also those that are only claimed.`

const options = { account: { type: 'string' } } as const

export async function run(config: Config, args: string[]): Promise<number> {
  const { positionals, values } = readOptions({ args, options, allowPositionals: true })
  const work = readWork(positionals, values.account)
  const services = await openForCommand(config)
  try {
    return await work(services.extensions.numberAssignments)
  } finally {
    await services.close()
  }
}

type Assignments = Services['extensions']['numberAssignments']

function readWork([verb, ...rest]: string[], domain: string | undefined) {
  if (verb === 'list' && rest.length === 0) return (numbers: Assignments) => list(numbers, domain)
  if ((verb !== 'assign' && verb !== 'release') || rest.length !== 1)
    throw new UsageError('The commands are `number assign`, `number release` and `number list`.')
  const number = readPhone(rest[0] ?? '')
  if (number === undefined)
    throw new UsageError('The number needs its area code or, outside Brazil, a plus and the country code.')
  if (verb === 'release') return (numbers: Assignments) => release(numbers, number)
  if (!domain) throw new UsageError('--account, the domain of the account, is needed.')
  return (numbers: Assignments) => assign(numbers, number, domain)
}

async function assign(numbers: Assignments, number: string, domain: string): Promise<number> {
  const answer = await numbers.assign(number, domain)
  if (answer === 'no account') throw new Error(`There is no account ${domain}.`)
  if (answer !== 'assigned')
    throw new Error(`+${number} belongs to ${answer.heldBy}. Release it first: number release ${number}`)
  say(`+${number} belongs to ${domain}.`)
  return 0
}

async function release(numbers: Assignments, number: string): Promise<number> {
  const domain = await numbers.release(number)
  if (domain === undefined) throw new Error(`+${number} belongs to no account.`)
  say(`+${number} no longer belongs to ${domain}.`)
  return 0
}

async function list(numbers: Assignments, domain: string | undefined): Promise<number> {
  const rows = await numbers.list(domain)
  if (rows.length === 0) say('There are no numbers.')
  for (const row of rows) {
    const proof = row.verified_at
      ? `${row.proof}, ${row.verified_at.toISOString().slice(0, 10)}`
      : 'not verified'
    say(`+${row.number.padEnd(16)}${row.domain.padEnd(40)} ${proof}`)
  }
  return 0
}
