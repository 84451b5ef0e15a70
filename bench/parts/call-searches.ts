/** Searches of calls, by every documented field and operator, as `GET /calls` takes them. */
import { campaigns, days, destinations, extensions } from './seed-calls.ts'
import type { SizedAccount } from './sized-accounts.ts'

const rangeDays = 30
const extensionAt = (share: number) => String(1000 + Math.floor(share * extensions))
const campaignAt = (share: number) => `campaign ${Math.floor(share * campaigns)}`
/** The start of the call at `share` (0 to 1) of the two years. */
const startOf = (share: number, { newest }: SizedAccount) =>
  new Date(newest.getTime() - (1 - share) * days * 86_400_000)
const between = (from: number, length: number, account: SizedAccount) => ({
  between: [startOf(from, account), startOf(from + length, account)],
})

export type Search = {
  where: (share: number, account: SizedAccount) => object
  /** The share of the account's calls that is found, for the check of totals; one call at least. */
  found: number
  /** Other parameters of the request. */
  filter?: object
  page?: number
  /** The second page, by the cursor of the first. */
  byCursor?: true
}

const whole = rangeDays / days

/** `share` (0 to 1) selects a position among the account's calls. An index has the page, stored counts the total. */
export const indexed: Record<string, Search> = {
  newest: { where: () => ({}), found: 1 },
  'oldest first': { where: () => ({}), found: 1, filter: { order: 'started_at ASC' } },
  'a date range': {
    where: (share, account) => ({ started_at: between(share * (1 - whole), whole, account) }),
    found: whole,
  },
  'one extension': { where: (share) => ({ from: extensionAt(share) }), found: 1 / extensions },
  'one of two extensions, with or': {
    where: (share) => ({ or: [{ from: extensionAt(share) }, { from: extensionAt((share + 0.5) % 1) }] }),
    found: 2 / extensions,
  },
  'one extension in a date range': {
    where: (share, account) => ({
      from: extensionAt(share),
      started_at: between(share * (1 - whole), whole, account),
    }),
    found: whole / extensions,
  },
  'one destination': {
    where: (share, { calls }) => ({
      to: `55489${String((1 + Math.floor(share * calls)) % destinations).padStart(8, '0')}`,
    }),
    found: 1 / destinations,
  },
  'a rare metadata value': {
    where: (share, { calls }) => ({ 'metadata.lead_id': 1 + Math.floor(share * calls) }),
    found: 0,
  },
  'a common metadata value': {
    where: (share) => ({ 'metadata.campaign': campaignAt(share) }),
    found: 1 / campaigns,
  },
  'a metadata value in a date range': {
    where: (share, account) => ({
      'metadata.campaign': campaignAt(share),
      started_at: between(share * (1 - whole), whole, account),
    }),
    found: whole / campaigns,
  },
  'page 50': { where: () => ({}), found: 1, page: 50 },
  'the next page by cursor': { where: () => ({}), found: 1, byCursor: true },
}

/**
 * No index has these, so that their calls are read: quick in a small account or within a few days, and refused with 422
 * when that takes three seconds (D186).
 */
export const bounded: Record<string, object> = {
  'BINA, all calls': { BINA: '+55 48 3333-4444' },
  'BINA, no call': { BINA: '+55 48 3333-5555' },
  'first name': { first_name: 'Bruno' },
  'last name, like': { last_name: { like: 'ilv' } },
  'e-mail, ilike': { email: { ilike: '%@EXAMPLE.org' } },
  'e-mail, regexp': { email: { regexp: '^bia' } },
  'destination, like': { to: { like: '%1234' } },
  'duration above': { duration: { gt: 50 } },
  'hang-up cause': { hangup_cause: 'USER_BUSY' },
  status: { status: 'completed' },
  'call type': { call_type: 'inbound' },
  'price above': { call_price: { gt: 1 } },
  'not one extension': { from: { neq: '1000' } },
  'ended before': { ended_at: { lt: '2020-01-01T00:00:00.000Z' } },
  'cause or duration': { or: [{ hangup_cause: 'USER_BUSY' }, { duration: { gt: 3600 } }] },
  'status and cause': { status: 'completed', hangup_cause: 'NORMAL_CLEARING' },
  'metadata, like': { 'metadata.agent': { like: 'nobody' } },
}

/** The same within the last day. */
export const withinADay = (where: object, account: SizedAccount) => ({
  and: [where, { started_at: { gte: startOf(1 - 1 / days, account) } }],
})
