/** `rates import` and `rates export`: the tariff as a CSV file. */
import { readFile } from 'node:fs/promises'
import type { Rate } from '../../billing/tariff/rate.ts'
import { type ChangePlan, describeProblem } from '../../billing/tariff/rate-changes.ts'
import type { Config } from '../../config.ts'
import { command } from '../../kit/process/command.ts'
import { writeMinutePrice } from '../../kit/text/money.ts'
import { fileProblem } from '../data/file-problem.ts'
import { openForCommand } from '../open-services.ts'
import { complain, say } from '../say.ts'
import { readOptions, UsageError } from '../usage.ts'

export const usage = `Usage: ${command} rates export > rates.csv
       ${command} rates import <rates.csv> [--apply] [--replace]

Without --apply it only shows what would change. With --replace, rates that the file does not name end.
Rates hold from now on unless valid_from says otherwise; without a domain they are for all accounts.`

const options = {
  apply: { type: 'boolean', default: false },
  replace: { type: 'boolean', default: false },
} as const

const maxShown = 50

export async function run(config: Config, args: string[]): Promise<number> {
  const { positionals, values } = readOptions({ args, options, allowPositionals: true })
  const [verb, file, ...rest] = positionals
  const isValid = verb === 'export' ? file === undefined : verb === 'import' && file !== undefined
  if (!isValid || rest.length > 0) {
    throw new UsageError('The commands are `rates export` and `rates import <rates.csv>`.')
  }
  const sheet = file === undefined ? undefined : await readSheet(file)
  const { money, close } = await openForCommand(config)
  try {
    if (sheet === undefined) {
      process.stdout.write(await money.rateImports.exportSheet())
      return 0
    }
    return report(await money.rateImports.importSheet(sheet, values), values.apply)
  } finally {
    await close()
  }
}

async function readSheet(file: string): Promise<string> {
  return await readFile(file, 'utf8').catch((error: unknown) => {
    throw fileProblem(error, file, 'read')
  })
}

function report(plan: ChangePlan, apply: boolean): number {
  const lines = [
    ...plan.dropped.map((rate) => `- ${describe(rate)}, which was to begin ${rate.from.toISOString()}`),
    ...plan.ended.map(({ rate, until }) => `~ ${describe(rate)} ends ${until?.toISOString() ?? 'no longer'}`),
    ...plan.added.map((rate) => `+ ${describe(rate)} from ${rate.from.toISOString()}`),
  ]
  for (const line of lines.slice(0, maxShown)) say(line)
  if (lines.length > maxShown) say(`… and ${lines.length - maxShown} more`)
  for (const problem of plan.problems.slice(0, maxShown)) complain(`! ${describeProblem(problem, 'en')}`)
  const { added, ended, dropped, unchanged, problems } = plan
  say(`${added.length} begin, ${ended.length + dropped.length} end, ${unchanged} stay as they are.`)
  if (problems.length > 0) complain(`${problems.length} lines cannot be used: nothing was changed.`)
  else say(apply ? 'Done.' : 'Nothing was changed: this was a dry run. Use --apply to make the changes.')
  return problems.length > 0 ? 1 : 0
}

function describe({
  domain,
  prefix,
  name,
  minutePrice,
  firstBlock,
  step,
  grace,
}: Rate & { domain: string }): string {
  const whose = domain === '' ? '' : ` of ${domain}`
  return `${prefix}${whose} ${name} R$ ${writeMinutePrice(minutePrice)}/min (${firstBlock}/${step}, ${grace} s free)`
}
