/**
 * The history of a run, as the outside saw it: what clients sent and were answered, what receivers got, what phones and the
 * payment gateway did, and what the API showed in the end. The auditor reads nothing else. Times are milliseconds of the run.
 */

/** `status` 0: no answer came, the request may or may not have been carried out. */
type Answered = { status: number; code?: string }

/** One attempt of `POST /calls`. `key`: the Idempotency-Key, which is in the metadata of the call too. */
type PlaceAttempt = Answered & {
  kind: 'place'
  sentAt: number
  at: number
  account: string
  key: string
  /** Whether the key was sent as a header: only then a retry is the same request. */
  isKeyed: boolean
  extension: string
  called: string
  id?: string
}

type HangUpAttempt = Answered & { kind: 'hangup'; at: number; account: string; call: string }

type TransferAttempt = Answered & {
  kind: 'transfer'
  at: number
  account: string
  call: string
  second?: string
}

/** One attempt of `POST /charges`. Money is in centavos everywhere in a history. */
type ChargeAttempt = Answered & {
  kind: 'charge'
  at: number
  account: string
  key: string
  amount: number
  id?: number
}

/** One attempt of the operator to give credit, or to take it away. */
type CreditAttempt = Answered & { kind: 'credit'; at: number; account: string; key: string; amount: number }

/** One attempt of the operator to refund a charge. */
type RefundAttempt = Answered & { kind: 'refund'; at: number; account: string; charge: number }

/** One attempt of `POST /numbers/{id}/verify`. */
type VerifyAttempt = Answered & { kind: 'verify'; at: number; account: string; number: string }

/** How a call that was to verify a number ended at its node. */
export type CodeCall = {
  kind: 'code call'
  at: number
  call: string
  number: string
  outcome: 'typed' | 'wrong' | 'not typed' | 'not answered'
  talkedMs: number
}

/** Change of an extension: `value` is what its first name was set to. */
type ChangeAttempt = Answered & {
  kind: 'change'
  at: number
  sentAt: number
  account: string
  extension: string
  value: string
}

/** What the gateway itself knows. `refunded`: so much went back to the payer, by a refund or a chargeback. */
type PaymentMove = {
  kind: 'payment'
  at: number
  account: string
  payment: string
  amount: number
  state: 'paid' | 'moved' | 'refunded'
  /** Of the payment at the gateway from then on. */
  status: string
}

/** A phone was answered 200 to its REGISTER. */
export type RegisteredPhone = {
  kind: 'registered'
  at: number
  account: string
  extension: string
  phone: string
}

/** The phone of an extension rang. */
type RingingPhone = {
  kind: 'rang'
  at: number
  account: string
  extension: string
  phone: string
  call: string
}

/**
 * Two people talked. `endedAt`: when the call ended at its node, by whatever, also because the node was killed. `silentAt`: when
 * its sound ended, which a node that was paused sent no longer.
 */
type Talk = {
  kind: 'talk'
  call: string
  answeredAt: number
  endedAt: number
  silentAt: number
  isRecorded: boolean
}

/** The node of a call that was talked in was well, from half a minute before the answer until half a minute after the end. */
type Undisturbed = { kind: 'undisturbed'; call: string }

/** A person or a client gave up the call; without it nobody but the service can have cancelled it. */
type Cancelled = { kind: 'cancelled'; at: number; call: string }

/** A delivery as the receiver got it, and what it answered; 0 if it did not answer. */
export type ReceivedWebhook = {
  kind: 'webhook'
  at: number
  integration: string
  message: string
  type: string
  subject: string
  sequence: number
  /** Hash of the body. */
  body: string
  isSigned: boolean
  status: number
}

export type FeedEvent = { cursor: number; type: string; subject: string; sequence: number }

/** One page of the feed, read by a reader that goes on where it was. */
type FeedRead = {
  kind: 'feed'
  at: number
  sentAt: number
  reader: string
  account: string
  after: number
  cursor: number
  events: FeedEvent[]
  /** Further events are there already. */
  more: boolean
}

export type StatementEntry = { id: number; kind: string; amount: number; balance: number; reference: string }

/** The whole statement, oldest first. */
type StatementRead = {
  kind: 'statement'
  at: number
  sentAt: number
  reader: string
  account: string
  entries: StatementEntry[]
}

/** Page of newest calls, as a client that follows live calls reads it again and again. */
type LiveRead = {
  kind: 'live'
  at: number
  reader: string
  account: string
  calls: { id: string; status: string }[]
}

type BalanceRead = {
  kind: 'balance'
  at: number
  account: string
  balance: number
  reserved: number
  available: number
}

export type ShownCall = {
  id: string
  type: 'outbound' | 'inbound' | 'internal'
  status: string
  from: string
  to: string
  startedAt: number
  answeredAt: number | null
  endedAt: number | null
  duration: number
  cause: string | null
  price: number | null
  /** Ten-thousandths of a real. */
  minutePrice: number | null
  key: string | undefined
  hasRecording: boolean
  isRecordingLost: boolean
  forgiven: number
}

export type ShownCharge = {
  id: number
  key: string | undefined
  status: string
  amount: number
  payment: string
}

export type ShownDelivery = {
  type: string
  subject: string
  sequence: number
  status: 'pending' | 'delivered' | 'dead' | 'skipped'
  reason: string | null
  attempts: number
  lastError: string | null
  nextAt: number | null
}

/** `outcome`: of the newest call that was to verify it; null while that lasts, or if there was none. */
export type ShownNumber = { number: string; isVerified: boolean; isCalled: boolean; outcome: string | null }

/** What the API shows of an account when all has settled. */
export type FinalState = {
  kind: 'final'
  at: number
  account: string
  calls: ShownCall[]
  charges: ShownCharge[]
  /** Whole feed, read from its beginning. */
  feed: FeedEvent[]
  numbers: ShownNumber[]
  extensions: { number: string; firstName: string; isRegistered: boolean }[]
  integrations: { id: string; types: string[]; isOn: boolean; deliveries: ShownDelivery[] }[]
  /** Bytes by call; 0 if it could not be fetched. */
  recordings: Record<string, number>
}

/** Calls in which phones still are when all has settled. */
type PhonesInCalls = { kind: 'phones in calls'; at: number; calls: string[] }

/** Whether a process reports itself ready, when all has settled. */
type Readiness = { kind: 'ready'; at: number; process: string; status: number; problems: string[] }

/** No fault is injected from here on. */
type FaultsOver = { kind: 'faults over'; at: number }

export type Entry =
  | PlaceAttempt
  | HangUpAttempt
  | TransferAttempt
  | ChargeAttempt
  | CreditAttempt
  | RefundAttempt
  | ChangeAttempt
  | VerifyAttempt
  | CodeCall
  | PaymentMove
  | RegisteredPhone
  | RingingPhone
  | Talk
  | Undisturbed
  | Cancelled
  | ReceivedWebhook
  | FeedRead
  | StatementRead
  | LiveRead
  | BalanceRead
  | FinalState
  | PhonesInCalls
  | Readiness
  | FaultsOver

export type Rate = { prefix: string; minutePrice: number; firstBlock: number; step: number; grace: number }

export type History = {
  /** By the digits that a destination begins with, as `GET /rates` showed them. */
  rates: Rate[]
  entries: Entry[]
}

type OfKind<K extends Entry['kind']> = Extract<Entry, { kind: K }>

/** How long the effects of the last faults may last: a paused process goes on, a lost notice is made up for. */
const settleMs = 60_000

/** From then on everything must be in order; never, if the run has no such time. */
export function settledAt(history: History): number {
  return (entriesOf(history, 'faults over').at(-1)?.at ?? Number.POSITIVE_INFINITY) + settleMs
}

export function entriesOf<K extends Entry['kind']>({ entries }: History, kind: K): OfKind<K>[] {
  return entries.filter((entry): entry is OfKind<K> => entry.kind === kind)
}
