/** `ledger verify`: proves that the books add up, or says what does not. */
import { verifyLedger } from '../../billing/ledger/verify.ts'
import { findStrayReservations } from '../../calls/events/pricing-store.ts'
import type { Config } from '../../config.ts'
import { command } from '../../kit/process/command.ts'
import { formatCentavos } from '../../kit/text/money.ts'
import type { Database } from '../../store/database.ts'
import { openForCommand } from '../open-services.ts'
import { say } from '../say.ts'
import { readOptions, UsageError } from '../usage.ts'

export const usage = `Usage: ${command} ledger verify

Proves that the books add up, or says what does not and ends with 1. Changes nothing.`

export async function run(config: Config, args: string[]): Promise<number> {
  const { positionals } = readOptions({ args, options: {}, allowPositionals: true })
  if (positionals.join(' ') !== 'verify') throw new UsageError('The only command is `ledger verify`.')
  const services = await openForCommand(config)
  try {
    return await proveBooks(services.base.store.db)
  } finally {
    await services.close()
  }
}

export async function proveBooks(db: Database): Promise<number> {
  const { accounts, entries, balance, ...verified } = await verifyLedger(db)
  const findings = [...verified.findings, ...(await findStrayReservations(db))]
  for (const finding of findings) say(`! ${finding}`)
  say(`${accounts} accounts, ${entries} entries, ${formatCentavos(balance)} in all.`)
  say(findings.length === 0 ? 'The books add up.' : `${findings.length} findings: the books do not add up.`)
  return findings.length === 0 ? 0 : 1
}
