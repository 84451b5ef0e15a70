/** D643: the mail of a report. */
import { expect, test } from 'vitest'
import { largestGroups, type MonthlyReport, plainName } from './monthly-report.ts'
import { reportMail } from './report-mail.ts'

const nothing = { calls: 0, answered: 0, seconds: 0, cost: 0 }

const quiet: MonthlyReport = {
  domain: 'aurora.ramal.localhost',
  firstDay: '2026-02-01',
  lastDay: '2026-02-28',
  firstDayBefore: '2026-01-01',
  figures: nothing,
  before: nothing,
  extensions: [],
  users: [],
  outcomes: [],
  credit: { topUps: 0, refunds: -1_000, others: 500, balance: -250 },
}

test('a month without calls has no shares and no groups; without a console there is no link', () => {
  const { subject, text } = reportMail(quiet, { language: 'en', page: undefined })
  expect(subject).toBe('Report of February 2026: aurora.ramal.localhost')
  expect(text).toBe(`Hello!

Calls of the account aurora.ramal.localhost in February 2026, compared with January 2026.

Calls: 0 (before: 0)
Answer rate: – (before: –)
Minutes: 0 (before: 0)
Cost: R$0.00 (before: R$0.00)

Credit
Top-ups paid: R$0.00
Refunds: -R$10.00
Trial credit and adjustments: R$5.00
Balance at the end of February 28, 2026: -R$2.50

--
This report comes on the 1st of each month to the administrators of the account who confirmed their e-mail.
To stop it: an administrator switches it off on the Reports page of the console, or with monthlyReport in PATCH /accounts/settings.
`)
})

test('fewer calls than before have a minus', () => {
  const { text } = reportMail(
    { ...quiet, figures: { ...nothing, calls: 3 }, before: { ...nothing, calls: 4, answered: 1 } },
    { language: 'pt', page: undefined },
  )
  expect(text).toContain('Chamadas: 3 (antes: 4, -25%)')
  expect(text).toContain('Taxa de atendimento: 0% (antes: 25%, -25 p.p.)')
})

test('the days of a group are added up, the largest group first', () => {
  const row = (group: string | null, calls: number) => ({ ...nothing, group, calls })
  const groups = largestGroups([row('1001', 2), row('1000', 1), row(null, 2), row('1000', 2)])
  expect(groups.map(({ group, calls }) => [group, calls])).toEqual([
    ['1000', 3],
    [null, 2],
    ['1001', 2],
  ])
})

test('D145: a name that is a link, or has several lines, is left out', () => {
  expect(['Bia Lima', 'https://evil.example', 'www.evil.example', 'Bia\nLima', ''].map(plainName)).toEqual([
    'Bia Lima',
    undefined,
    undefined,
    undefined,
    undefined,
  ])
})
