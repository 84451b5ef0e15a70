/**
 * D574: what an assistant may not do, whatever it is asked: call numbers that are not listed, or spend more than a ceiling.
 * They are set where the server is configured, in its address or on the command line, out of the model's reach.
 */
import { readDialledPhone } from '../kit/text/phone.ts'
import { ApiRefusal, ask, type CallApi } from './api.ts'

export type GuardRails = {
  /** Numbers in full, their first digits and `*`, or `*` for every telephone number. */
  allow: readonly string[]
  /** Reais that calls of assistants may cost in 24 hours. */
  ceiling: number
  /** Only the sandbox carrier is called. */
  dryRun: boolean
}

type Given = { allow?: string | undefined; ceiling?: string | undefined; dryRun?: boolean }

const defaultCeiling = 10

/** Or which value is wrong. */
export function readGuardRails({
  allow = '',
  ceiling,
  dryRun = false,
}: Given): GuardRails | { wrong: 'allow' | 'ceiling' } {
  const listed = allow.split(',').flatMap((item) => (item.trim() === '' ? [] : [readNumber(item)]))
  if (!listed.every((item) => /^(\*|\d{1,20}\*?)$/.test(item))) return { wrong: 'allow' }
  if (ceiling !== undefined && !/^\d{1,7}(\.\d{1,2})?$/.test(ceiling)) return { wrong: 'ceiling' }
  return { allow: listed, ceiling: ceiling === undefined ? defaultCeiling : Number(ceiling), dryRun }
}

/** As the service dials it: 48 3333-4444 is 554833334444. */
const readNumber = (text: string) => readDialledPhone(text.trim())?.number ?? text.replace(/[\s().+-]/g, '')

export const railTexts = {
  allow:
    'numbers, or first digits with a star such as 5548*, separated by commas; * allows every telephone number',
  ceiling: 'reais, such as 10.00',
}

/** Extensions and service numbers such as 190 must be listed in full. */
export function isAllowed({ allow }: GuardRails, called: string): boolean {
  const phone = readDialledPhone(called)?.number
  if (phone === undefined) return allow.includes(called.trim())
  return allow.some((item) => (item.endsWith('*') ? phone.startsWith(item.slice(0, -1)) : phone === item))
}

/** Marks calls that an assistant placed; they count for the ceiling. */
export const placedBy = { placed_by: 'mcp' } as const

type Spent = {
  to: string
  started_at: string
  ended_at: string | null
  call_price: number | null
}
type Page = { data: Spent[]; meta: { nextCursor?: string } }

const maxCalls = 1000
const dayMs = 86_400_000

export async function priceOfMinute(callApi: CallApi, called: string): Promise<number> {
  const phone = readDialledPhone(called)
  // Within the account calls are free.
  if (!phone) return 0
  const rate = { method: 'GET', path: '/rates', query: { to: phone.number } } as const
  return (await ask<{ minute_price: number }>(callApi, rate)).minute_price
}

/**
 * What calls of assistants have cost in 24 hours. One that is not priced yet counts by its minutes so far, begun ones in
 * full. A call that goes on can pass the ceiling; the next is refused.
 */
export async function spentToday(callApi: CallApi, now: Date): Promise<number> {
  const since = new Date(now.getTime() - dayMs).toISOString()
  const filter = {
    where: { 'metadata.placed_by': placedBy.placed_by, started_at: { gte: since } },
    fields: ['to', 'started_at', 'ended_at', 'call_price'],
    limit: maxCalls,
  }
  const request = { method: 'GET', path: '/calls', query: { filter: JSON.stringify(filter) } } as const
  const { data, meta } = await ask<Page>(callApi, request)
  if (meta.nextCursor !== undefined)
    throw new ApiRefusal(`Assistants have placed more than ${maxCalls} calls in 24 hours: no more today.`)
  let spent = 0
  for (const call of data) spent += call.call_price ?? (await priceSoFar(callApi, call, now))
  return spent
}

async function priceSoFar(callApi: CallApi, { to, started_at, ended_at }: Spent, now: Date): Promise<number> {
  const end = ended_at === null ? now : new Date(ended_at)
  const minutes = Math.max(1, Math.ceil((end.getTime() - Date.parse(started_at)) / 60_000))
  return minutes * (await priceOfMinute(callApi, `+${to}`))
}
