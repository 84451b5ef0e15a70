/** Money, moments, durations and telephone numbers as people of the chosen language write them. */
import { useTimeZone } from '../session.ts'
import { locale, useLanguage } from '../words/language.ts'

export function useFormat() {
  useLanguage()
  return formatOf(locale(), useTimeZone())
}

/** Cached: making them costs more than the row of a table that asks for them. */
const made = new Map<string, ReturnType<typeof createFormat>>()

function formatOf(tag: string, timeZone: string) {
  const key = `${tag} ${timeZone}`
  const known = made.get(key) ?? createFormat(tag, timeZone)
  made.set(key, known)
  return known
}

function createFormat(tag: string, timeZone: string) {
  const money = new Intl.NumberFormat(tag, { style: 'currency', currency: 'BRL' })
  const price = new Intl.NumberFormat(tag, { style: 'currency', currency: 'BRL', maximumFractionDigits: 4 })
  const count = new Intl.NumberFormat(tag)
  const signed = new Intl.NumberFormat(tag, { signDisplay: 'exceptZero', maximumFractionDigits: 3 })
  const percent = new Intl.NumberFormat(tag, { style: 'percent', maximumFractionDigits: 0 })
  const change = new Intl.NumberFormat(tag, {
    style: 'percent',
    maximumFractionDigits: 0,
    signDisplay: 'exceptZero',
  })
  const moment = momentIn(tag, timeZone, {})
  const exact = momentIn(tag, timeZone, { second: '2-digit' })
  const day = new Intl.DateTimeFormat(tag, { dateStyle: 'short', timeZone })
  const time = new Intl.DateTimeFormat(tag, { timeStyle: 'medium', timeZone })
  const date = new Intl.DateTimeFormat(tag, { dateStyle: 'short', timeZone: 'UTC' })
  const ago = new Intl.RelativeTimeFormat(tag, { style: 'short' })
  return {
    timeZone,
    money: (reais: number) => money.format(reais),
    price: (reais: number) => price.format(reais),
    count: (number: number) => count.format(number),
    signed: (difference: number) => signed.format(difference),
    seconds: (difference: number) => `${signed.format(difference)} s`,
    percent: (share: number) => percent.format(share),
    /** With its sign. */
    change: (share: number) => change.format(share),
    /** Of two shares, in percentage points. */
    points: (difference: number) =>
      `${signed.format(Math.round(difference * 100))} ${tag === 'pt-BR' ? 'p.p.' : 'pp'}`,
    moment,
    exact,
    /** How long ago, in its largest unit. */
    ago: (iso: string) => agoIn(ago, (Date.now() - Date.parse(iso)) / 1000),
    day: (iso: string) => day.format(new Date(iso)),
    time: (iso: string) => time.format(new Date(iso)),
    /** `2026-11-15`, of whatever time zone. */
    date: (day: string) => date.format(new Date(`${day}T00:00:00Z`)),
  }
}

const units = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const

function agoIn(format: Intl.RelativeTimeFormat, seconds: number): string {
  const [unit, size] = units.find(([, length]) => seconds >= length) ?? ['second', 1]
  return format.format(-Math.max(0, Math.floor(seconds / size)), unit)
}

/** Day and time; the year only of another year than now. */
function momentIn(tag: string, timeZone: string, more: Intl.DateTimeFormatOptions) {
  const shape = { day: '2-digit', month: '2-digit', hour: '2-digit', minute: '2-digit', timeZone } as const
  const ofThisYear = new Intl.DateTimeFormat(tag, { ...shape, ...more })
  const other = new Intl.DateTimeFormat(tag, { ...shape, ...more, year: 'numeric' })
  return (iso: string) => {
    const at = new Date(iso)
    return (at.getFullYear() === new Date().getFullYear() ? ofThisYear : other).format(at)
  }
}

/** `1:05`, or `1:01:05` from an hour. */
export function duration(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds))
  const rest = `${Math.floor(whole / 60) % 60}`
  const tail = `${whole % 60}`.padStart(2, '0')
  return whole >= 3600 ? `${Math.floor(whole / 3600)}:${rest.padStart(2, '0')}:${tail}` : `${rest}:${tail}`
}

/** `12.345.678/0001-95` of a company, `123.456.789-09` of a person. */
export function taxId(digits: string): string {
  return digits
    .replace(/^(\w{2})(\w{3})(\w{3})(\w{4})(\w{2})$/, '$1.$2.$3/$4-$5')
    .replace(/^(\d{3})(\d{3})(\d{3})(\d{2})$/, '$1.$2.$3-$4')
}
