/** Lists of calls in a small and in a large account, as tables of the page. */
import { callLists } from '../../call-lists.ts'
import { median } from '../rounds.ts'
import type { Result } from '../table.ts'
import type { Figures } from './report.ts'

export async function measureLists(): Promise<Figures> {
  const results = await callLists()
  const isBounded = ({ unit }: Result) => unit !== undefined
  return {
    tables: [
      {
        head: ['search that has an index', 'in 10 thousand calls', 'in the large account', 'ratio'],
        rows: results.filter((result) => !isBounded(result)).map(toComparison),
      },
      {
        head: [
          'search that reads calls',
          'in the large account',
          'in 10 thousand calls; of a day in the large account',
        ],
        rows: results
          .filter(isBounded)
          .map(({ name, measured, baseline }) => [nameOf(name), measured, baseline]),
      },
    ],
  }
}

const nameOf = (name: string) => name.replace('call-lists, ', '')

function toComparison({ name, measured, baseline, values }: Result): string[] {
  return [nameOf(name), baseline, measured, median(values).toFixed(2)]
}
