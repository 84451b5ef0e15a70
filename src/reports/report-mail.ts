/** The mail of a monthly report, in the language of the account (D643). */
import type { Language } from '../kit/text/language.ts'
import type { Mail } from '../mail/port.ts'
import type { Figures, MonthlyReport, NamedFigures } from './monthly-report.ts'
import { createReportFormat, type ReportFormat, type ReportWords, reportWords } from './report-words.ts'

/** `page`: the month on the reports page of the console, if there is a console. */
type Shown = { language: Language; page: string | undefined }

export function reportMail(report: MonthlyReport, { language, page }: Shown): Omit<Mail, 'recipient'> {
  const words = reportWords[language]
  const format = createReportFormat(language)
  const month = format.month(report.firstDay)
  const sections = [
    words.hello,
    words.about(report.domain, month, format.month(report.firstDayBefore)),
    totals(report, words, format).join('\n'),
    groups(words.extensions, report.extensions, words, format),
    groups(words.users, report.users, words, format),
    groups(words.outcomes, report.outcomes, words, format),
    credit(report, words, format).join('\n'),
    page === undefined ? '' : `${words.page}\n${page}`,
    `--\n${words.why}\n${words.stop}`,
  ]
  return {
    subject: `${words.subject(month)}: ${report.domain}`,
    text: `${sections.filter((section) => section !== '').join('\n\n')}\n`,
  }
}

function totals({ figures, before }: MonthlyReport, words: ReportWords, format: ReportFormat): string[] {
  const compared = (name: string, of: (one: Figures) => number, write: (value: number) => string) =>
    line(name, write(of(figures)), words.before, write(of(before)), growth(of(before), of(figures), format))
  const rates = { now: rateOf(figures), before: rateOf(before) }
  const difference =
    rates.now === undefined || rates.before === undefined
      ? undefined
      : words.points(format.signed(Math.round((rates.now - rates.before) * 100)))
  return [
    compared(words.calls, ({ calls }) => calls, format.count),
    line(words.rate, rateText(rates.now, format), words.before, rateText(rates.before, format), difference),
    compared(words.minutes, minutesOf, format.count),
    compared(words.cost, ({ cost }) => cost, format.money),
  ]
}

/** `Calls: 12 (before: 10, +20%)`. */
function line(name: string, now: string, beforeWord: string, before: string, change: string | undefined) {
  return `${name}: ${now} (${beforeWord}: ${before}${change === undefined ? '' : `, ${change}`})`
}

function groups(title: string, rows: NamedFigures[], words: ReportWords, format: ReportFormat): string {
  if (rows.length === 0) return ''
  const lines = rows.map((row) => {
    const rate = rateText(rateOf(row), format)
    const minutes = format.count(minutesOf(row))
    return `- ${row.name}: ${words.ofGroup(format.count(row.calls), rate, minutes, format.money(row.cost))}`
  })
  return [title, ...lines].join('\n')
}

function credit(report: MonthlyReport, words: ReportWords, format: ReportFormat): string[] {
  const { topUps, refunds, others, balance } = report.credit
  return [
    words.credit,
    `${words.topUps}: ${format.money(topUps)}`,
    ...(refunds === 0 ? [] : [`${words.refunds}: ${format.money(refunds)}`]),
    ...(others === 0 ? [] : [`${words.others}: ${format.money(others)}`]),
    `${words.balance(format.day(report.lastDay))}: ${format.money(balance)}`,
  ]
}

const minutesOf = ({ seconds }: Figures) => Math.round(seconds / 60)
const rateOf = ({ calls, answered }: Figures) => (calls === 0 ? undefined : answered / calls)
const rateText = (rate: number | undefined, format: ReportFormat) =>
  rate === undefined ? '–' : format.percent(rate)

/** Undefined if there was nothing before: it has no share. */
function growth(before: number, now: number, format: ReportFormat): string | undefined {
  return before === 0 ? undefined : format.change((now - before) / before)
}
