/** Lists of calls in a small and in a large account, as tables of the page. */
import { callLists } from '../../call-lists.ts'
import { median } from '../rounds.ts'
import { otherCalls, sizes } from '../sized-accounts.ts'
import type { Result } from '../table.ts'
import type { Figures } from './report.ts'

const small = `${sizes.small.toLocaleString('en')} calls`
const large = `${sizes.large.toLocaleString('en')} calls`

export async function measureLists(): Promise<Figures> {
  const results = await callLists()
  return {
    ...(otherCalls > 0 && { note: ofOthers() }),
    tables: [
      {
        head: ['search that has an index', small, large, 'ratio'],
        rows: results.filter((result) => !isAgainstPlain(result)).map(toComparison),
      },
      {
        head: [`search of ${large}`, 'the plain page', 'the search', 'ratio'],
        rows: results.filter(isAgainstPlain).map(toComparison),
      },
    ],
  }
}

function ofOthers(): string {
  const all = (sizes.small + sizes.large + otherCalls).toLocaleString('en')
  return `The database has ${all} calls in all; those of the other accounts have no index of their metadata.`
}

const nameOf = ({ name }: Result) => name.replace('call-lists, ', '')
/** Without the number of calls, which the page says once. */
const timeOf = (text: string) => text.replace(/ \((?:\d+(?: calls)?|the plain page)\)$/, '')
const isAgainstPlain = ({ baseline }: Result) => baseline.endsWith('(the plain page)')

function toComparison(result: Result): string[] {
  const { measured, baseline, values } = result
  return [nameOf(result), timeOf(baseline), timeOf(measured), median(values).toFixed(2)]
}
