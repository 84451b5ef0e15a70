/** `credit add` and `credit refund`: corrections by the operator, each with a reason that is recorded. */
import type { Services } from '../../app/services/services.ts'
import type { Adjustment } from '../../billing/ledger/ledger.ts'
import type { Config } from '../../config.ts'
import { randomBase62 } from '../../kit/ids.ts'
import { command } from '../../kit/process/command.ts'
import { formatCentavos, readCentavos } from '../../kit/text/money.ts'
import { openForCommand } from '../open-services.ts'
import { say } from '../say.ts'
import { readOptions, UsageError } from '../usage.ts'

export const usage = `Usage: ${command} credit add --domain <account> --amount <reais> --reason <text> [--reference <text>]
       ${command} credit refund --charge <id> --reason <text>

An amount below zero (--amount -5.00) takes credit away. The same reference is entered once.`

const options = {
  domain: { type: 'string' },
  amount: { type: 'string' },
  reason: { type: 'string' },
  reference: { type: 'string' },
  charge: { type: 'string' },
} as const

export async function run(config: Config, args: string[]): Promise<number> {
  const { positionals, values } = readOptions({ args, options, allowPositionals: true })
  const amount = readCentavos(values.amount ?? '')
  const charge = /^\d{1,15}$/.test(values.charge ?? '') ? Number(values.charge) : undefined
  const reason = values.reason?.trim() ?? ''
  const [verb] = positionals
  const { domain } = values
  if (positionals.length !== 1 || (verb !== 'add' && verb !== 'refund')) {
    throw new UsageError('The commands are `credit add` and `credit refund`.')
  }
  if (reason === '') throw new UsageError('--reason is needed: it is recorded.')
  if (verb === 'add') {
    if (!domain || !amount)
      throw new UsageError('--domain and --amount (in reais, such as 10.00) are needed.')
    const reference = `manual:${values.reference ?? randomBase62(16)}`
    return await withServices(config, (services) => add(services, { domain, amount, reason, reference }))
  }
  if (charge === undefined) throw new UsageError('--charge, the id of a charge, is needed.')
  return await withServices(config, (services) => refund(services, charge, reason))
}

async function withServices(config: Config, work: (services: Services) => Promise<number>): Promise<number> {
  const services = await openForCommand(config)
  try {
    return await work(services)
  } finally {
    await services.close()
  }
}

async function add({ money: { ledger } }: Services, adjustment: Adjustment): Promise<number> {
  const answer = await ledger.adjust(adjustment)
  if (answer === 'no account') throw new Error(`There is no account ${adjustment.domain}.`)
  if (answer === 'entered before')
    throw new Error(`${adjustment.reference} was entered before; nothing was changed.`)
  if (answer === 'not enough') throw new Error('The account does not have that much; nothing was changed.')
  say(
    `${formatCentavos(adjustment.amount)} entered as ${adjustment.reference}. Balance: ${formatCentavos(answer.balance)}`,
  )
  return 0
}

async function refund({ money: { charges } }: Services, id: number, reason: string): Promise<number> {
  const answer = await charges.refund(id, reason)
  if (!answer) throw new Error(`There is no charge ${id} at the payment gateway in use.`)
  if ('ok' in answer) throw new Error(`The payment gateway did not refund it: ${answer.reason}`)
  say(`Charge ${id} is ${answer.status}.`)
  return 0
}
