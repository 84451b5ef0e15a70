/** Searches of calls, by every documented field and operator, as `GET /calls` takes them. */
import { campaigns, days, destinations, extensions } from './seed-calls.ts'
import type { SizedAccount } from './sized-accounts.ts'

const rangeDays = 30
const longAgo = '2020-01-01T00:00:00.000Z'
const nobody = '00000000-0000-4000-8000-000000000000'
const extensionAt = (share: number) => String(1000 + Math.floor(share * extensions))
const campaignAt = (share: number) => `campaign ${Math.floor(share * campaigns)}`
/** The start of the call at `share` (0 to 1) of the two years. */
const startOf = (share: number, { newest }: SizedAccount) =>
  new Date(Date.parse(newest) - (1 - share) * days * 86_400_000)
const between = (from: number, length: number, account: SizedAccount) => ({
  between: [startOf(from, account), startOf(from + length, account)],
})

export type Search = {
  where: (share: number, account: SizedAccount) => object
  /** The share of the account's calls that is found, for the check of totals; one call at least. */
  found: number
  /** Other parameters of the request; `limit` where the small account has no whole page, so that pages are alike. */
  filter?: { order?: string; limit?: number }
  page?: number
  /** The second page, by the cursor of the first. */
  byCursor?: true
  /** One of the newest calls, by its id instead of `where`. */
  byId?: true
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
  'one of three extensions, with inq': {
    where: (share) => ({ from: { inq: [0, 0.3, 0.6].map((more) => extensionAt((share + more) % 1)) } }),
    found: 3 / extensions,
  },
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
    filter: { limit: 4 },
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
    filter: { limit: 20 },
  },
  'a call by its id': { where: () => ({}), found: 0, byId: true },
  'page 50': { where: () => ({}), found: 1, page: 50 },
  'the next page by cursor': { where: () => ({}), found: 1, byCursor: true },
}

/** A search that is timed once, as it may take seconds. */
export type Bounded = {
  where: object
  order?: string
  /** The page at this share of the account's calls. */
  pageAt?: number
}

/**
 * No index has these, so that their calls are read: quick in a small account or within a few days, and refused with 422
 * when that takes three seconds (D186).
 */
export const bounded: Record<string, Bounded> = {
  'BINA, all calls': { where: { BINA: '+55 48 3333-4444' } },
  'BINA, no call': { where: { BINA: '+55 48 3333-5555' } },
  'first name': { where: { first_name: 'Bruno' } },
  'last name, like': { where: { last_name: { like: 'ilv' } } },
  'e-mail, ilike': { where: { email: { ilike: '%@EXAMPLE.org' } } },
  'e-mail, regexp': { where: { email: { regexp: '^bia' } } },
  'destination, like': { where: { to: { like: '%1234' } } },
  'destination, nlike': { where: { to: { nlike: '55%' } } },
  'duration above': { where: { duration: { gt: 50 } } },
  'duration between': { where: { duration: { between: [60, 120] } } },
  'hang-up cause': { where: { hangup_cause: 'USER_BUSY' } },
  status: { where: { status: 'completed' } },
  'call type': { where: { call_type: 'inbound' } },
  'price above': { where: { call_price: { gt: 1 } } },
  'price of a minute': { where: { minute_price: { gte: 0.5 } } },
  'not one extension': { where: { from: { neq: '1000' } } },
  'none of two extensions': { where: { from: { nin: ['1000', '1001'] } } },
  'answered before': { where: { answered_at: { lt: longAgo } } },
  'ended before': { where: { ended_at: { lt: longAgo } } },
  user: { where: { user_uuid: nobody } },
  'owner of the extension': { where: { extension_user_uuid: nobody } },
  'cause or duration': { where: { or: [{ hangup_cause: 'USER_BUSY' }, { duration: { gt: 3600 } }] } },
  'status and cause': { where: { status: 'completed', hangup_cause: 'NORMAL_CLEARING' } },
  'extension and status': { where: { from: '1000', status: 'completed' } },
  'extension and duration': { where: { from: '1000', duration: { gt: 3600 } } },
  'metadata value and status': { where: { 'metadata.campaign': 'campaign 1', status: 'completed' } },
  'metadata, like': { where: { 'metadata.agent': { like: 'nobody' } } },
  'ordered by duration': { where: {}, order: 'duration DESC' },
  'a page in the middle': { where: {}, pageAt: 0.5 },
}

/** The same within the last day. */
export const withinADay = ({ where, order, pageAt }: Bounded, account: SizedAccount): Bounded => ({
  where: { and: [where, { started_at: { gte: startOf(1 - 1 / days, account) } }] },
  ...(order !== undefined && { order }),
  ...(pageAt !== undefined && { pageAt: pageAt / days }),
})
