/** Searches of calls, by every documented field and operator, as `GET /calls` takes them. */
import { campaigns, days, destinations, extensions } from './seed-calls.ts'
import type { SizedAccount } from './sized-accounts.ts'

const rangeDays = 30
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

/** A search of the large account that is compared with its plain page. */
export type Compared = {
  where: (account: SizedAccount) => object
  order?: string
  limit?: number
  /** The page at this share of the account's calls, read without those before it. */
  pageAt?: number
}

const dayAt = (share: number, account: SizedAccount) =>
  new Date(Date.parse(account.newest) - (1 - share) * days * 86_400_000).toISOString().slice(0, 10)
const lastMonth = (account: SizedAccount) => ({ gte: startOf(1 - 30 / days, account) })
const constant = (where: object, more: Omit<Compared, 'where'> = {}): Compared => ({
  where: () => where,
  ...more,
})

/**
 * Every search that the contract lists, as known clients send them, and what else a filter can ask for. An index has the
 * page, or calls are read newest first until it is full.
 */
export const compared: Record<string, Compared> = {
  'a day': { where: (account) => ({ started_at: dayAt(0.7, account) }) },
  'a year': { where: (account) => ({ started_at: { gte: startOf(0.5, account) } }) },
  'days with and, limit 1,000': {
    where: (account) => ({
      and: [{ started_at: { gte: dayAt(0.7, account) } }, { started_at: { lte: dayAt(0.703, account) } }],
    }),
    limit: 1_000,
  },
  'extension, cause, since': {
    where: (account) => ({ from: '1000', hangup_cause: 'NORMAL_CLEARING', started_at: lastMonth(account) }),
  },
  'extension and cause, all time': constant({ from: '1000', hangup_cause: 'NO_ANSWER' }),
  'minutes report': {
    where: (account) => ({ from: '1000', duration: { gt: 0 }, started_at: lastMonth(account) }),
    limit: 1_000,
  },
  'number, or of three like': constant({
    or: [{ to: { like: '%00001234' } }, { from: { like: '%00001234' } }, { BINA: { like: '%00001234' } }],
  }),
  'number, like its end': constant({ to: { like: '%1234' } }),
  'number, like a part': constant({ to: { like: '000123' } }),
  'number, like its beginning': constant({ to: { like: '55489%' } }),
  'number, like none': constant({ to: { like: '77777777' } }),
  'first name': constant({ first_name: 'Bruno' }),
  'first name, none': constant({ first_name: 'Zacarias' }),
  'first name, ilike': constant({ first_name: { ilike: '%BRU%' } }),
  'last name': constant({ last_name: 'Lima' }),
  'last name, like none': constant({ last_name: { like: 'x' } }),
  'both names': constant({ first_name: 'Bruno', last_name: 'Lima' }),
  'a name or e-mail, ilike': constant({
    or: [{ first_name: { ilike: 'bru' } }, { last_name: { ilike: 'bru' } }, { email: { ilike: 'bru' } }],
  }),
  'e-mail': constant({ email: 'person123@example.com' }),
  'e-mail, like': constant({ email: { like: 'person12%' } }),
  'e-mail, like all': constant({ email: { like: '%@example.com' } }),
  BINA: constant({ BINA: '+55 48 3330-0123' }),
  'BINA, like': constant({ BINA: { like: '0012' } }),
  'BINA, none': constant({ BINA: '+55 48 3333-5555' }),
  'e-mail in a month': {
    where: (account) => ({ email: 'person123@example.com', started_at: lastMonth(account) }),
  },
  'metadata, two values': constant({ 'metadata.campaign': 'campaign 1', 'metadata.agent': 'agent 19' }),
  'metadata, like': constant({ 'metadata.agent': { like: 'agent 1%' } }),
  'metadata, like none': constant({ 'metadata.agent': { like: 'nobody' } }),
  'metadata and status': constant({ 'metadata.campaign': 'campaign 1', status: 'completed' }),
  status: constant({ status: 'completed' }),
  cause: constant({ hangup_cause: 'USER_BUSY' }),
  'cause, none': constant({ hangup_cause: 'CALL_REJECTED' }),
  duration: constant({ duration: { gt: 500 } }),
  'duration, none': constant({ duration: { gt: 3600 } }),
  price: constant({ call_price: { gt: 1 } }),
  'call type, none': constant({ call_type: 'inbound' }),
  'not one extension': constant({ from: { neq: '1000' } }),
  'ordered by duration': constant({}, { order: 'duration DESC' }),
  'ordered by duration, a month': {
    where: (account) => ({ started_at: lastMonth(account) }),
    order: 'duration DESC',
  },
  'a page in the middle': constant({}, { pageAt: 0.5 }),
  'the last page': constant({}, { pageAt: 0.9999 }),
  'a page in the middle of an extension': constant({ from: '1000' }, { pageAt: 0.005 }),
  'a page in the middle, oldest first': constant({}, { order: 'started_at ASC', pageAt: 0.5 }),
}
