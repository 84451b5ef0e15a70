/** A small history in which every promise held: two accounts, three calls, a payment, two webhooks. Tests break it. */
import type { Entry, FeedEvent, FinalState, History, ShownCall, ShownDelivery } from '../history.ts'

const rates = [{ prefix: '55', minutePrice: 1200, firstBlock: 30, step: 6, grace: 3 }]
const end = 200_000

function call(id: string, fields: Partial<ShownCall> = {}): ShownCall {
  return {
    id,
    type: 'outbound',
    status: 'completed',
    from: '1000',
    to: '5548999990000',
    startedAt: 1_000,
    answeredAt: 5_000,
    endedAt: 65_000,
    duration: 60,
    cause: 'NORMAL_CLEARING',
    price: 12,
    minutePrice: 1200,
    key: `key-${id}`,
    hasRecording: false,
    isRecordingLost: false,
    forgiven: 0,
    ...fields,
  }
}

export const feedOf = (subject: string, first: number, ...types: string[]): FeedEvent[] =>
  types.map((type, index) => ({ cursor: first + index, type, subject, sequence: index + 1 }))

const delivered = ({ type, subject, sequence }: FeedEvent): ShownDelivery => ({
  type,
  subject,
  sequence,
  status: 'delivered',
  reason: null,
  attempts: 1,
  lastError: null,
  nextAt: null,
})

const received = (event: FeedEvent): Entry => ({
  kind: 'webhook',
  at: 66_000 + event.cursor,
  integration: 'aurora/1',
  message: `msg_${event.subject}_${event.sequence}`,
  type: event.type,
  subject: event.subject,
  sequence: event.sequence,
  body: `body ${event.cursor}`,
  isSigned: true,
  status: 200,
})

const placed = (account: string, id: string): Entry => ({
  kind: 'place',
  sentAt: 900,
  at: 1_100,
  account,
  key: `key-${id}`,
  isKeyed: true,
  extension: '1000',
  called: '5548999990000',
  status: 200,
  id,
})

export function makeGoodHistory(): History {
  const feed = [
    ...feedOf('c1', 1, 'channel-answer', 'channel-hangup', 'recording-ready'),
    ...feedOf('c2', 4, 'channel-hangup'),
  ]
  const unanswered = { status: 'busy', answeredAt: null, duration: 0, cause: 'USER_BUSY', price: 0 }
  const aurora: FinalState = {
    kind: 'final',
    at: end,
    account: 'aurora',
    calls: [call('c1', { hasRecording: true }), call('c2', unanswered)],
    charges: [
      { id: 7, key: 'charge-1', status: 'RECEIVED', amount: 1_000, payment: 'pay_1' },
      { id: 6, key: 'charge-0', status: 'REFUNDED', amount: 600, payment: 'pay_0' },
    ],
    feed,
    numbers: [{ number: '552133000001', isVerified: true, isCalled: true, outcome: 'verified' }],
    extensions: [{ number: '1000', firstName: 'Ana 2', isRegistered: true }],
    integrations: [
      {
        id: 'aurora/1',
        types: ['channel-answer', 'channel-hangup'],
        isOn: true,
        deliveries: feed.filter(({ type }) => type !== 'recording-ready').map(delivered),
      },
    ],
    recordings: { c1: 480_044 },
  }
  const boreal: FinalState = {
    kind: 'final',
    at: end,
    account: 'boreal',
    calls: [call('c3', { from: '2000', key: undefined, type: 'inbound', price: 0, duration: 60 })],
    charges: [],
    feed: feedOf('c3', 9, 'channel-answer', 'channel-hangup'),
    numbers: [],
    extensions: [],
    integrations: [],
    recordings: {},
  }
  const statement = [
    { id: 1, kind: 'trial', amount: 500, balance: 500, reference: 'trial' },
    { id: 2, kind: 'charge', amount: 600, balance: 1_100, reference: 'charge:6' },
    { id: 3, kind: 'charge', amount: 1_000, balance: 2_100, reference: 'charge:7' },
    { id: 4, kind: 'refund', amount: -600, balance: 1_500, reference: 'refund:6:600' },
    { id: 5, kind: 'call', amount: -12, balance: 1_488, reference: 'call:c1' },
  ]
  const payment = { kind: 'payment', account: 'aurora' } as const
  const talked = { answeredAt: 5_000, endedAt: 65_000, silentAt: 65_000 }
  const page = { kind: 'feed', reader: 'rui', account: 'aurora', more: false } as const
  const live = { kind: 'live', reader: 'rui', account: 'aurora' } as const
  return {
    rates,
    entries: [
      placed('aurora', 'c1'),
      placed('aurora', 'c2'),
      { kind: 'registered', at: 100, account: 'aurora', extension: '1000', phone: 'desk' },
      { kind: 'charge', at: 1, account: 'aurora', key: 'charge-1', amount: 1_000, status: 200, id: 7 },
      { ...payment, at: 2, payment: 'pay_1', amount: 1_000, state: 'paid', status: 'CONFIRMED' },
      { ...payment, at: 3, payment: 'pay_1', amount: 1_000, state: 'moved', status: 'RECEIVED' },
      { ...payment, at: 4, payment: 'pay_0', amount: 600, state: 'paid', status: 'CONFIRMED' },
      { ...payment, at: 5, payment: 'pay_0', amount: 600, state: 'refunded', status: 'REFUNDED' },
      {
        kind: 'change',
        at: 20,
        sentAt: 19,
        account: 'aurora',
        extension: '1000',
        value: 'Ana 2',
        status: 200,
      },
      { kind: 'verify', at: 30, account: 'aurora', number: '552133000001', status: 200 },
      { kind: 'code call', at: 40, call: 'n1', number: '552133000001', outcome: 'typed', talkedMs: 2_900 },
      { kind: 'talk', call: 'c1', ...talked, isRecorded: true },
      { kind: 'talk', call: 'c3', ...talked, isRecorded: false },
      { kind: 'undisturbed', call: 'c1' },
      { ...live, at: 6_000, calls: [{ id: 'c1', status: 'connecting' }] },
      { ...live, at: 8_000, calls: [{ id: 'c1', status: 'answered' }] },
      { ...page, at: 66_000, sentAt: 65_900, after: 0, cursor: 2, events: feed.slice(0, 2) },
      { ...page, at: 67_000, sentAt: 66_900, after: 2, cursor: 4, events: feed.slice(2) },
      ...feed.slice(0, 2).map(received),
      ...feed.slice(3).map(received),
      { kind: 'faults over', at: 100_000 },
      {
        kind: 'rang',
        at: 170_000,
        account: 'aurora',
        extension: '1000',
        phone: 'desk',
        call: 'c1',
      },
      {
        kind: 'statement',
        at: 199_000,
        sentAt: 198_000,
        reader: 'rui',
        account: 'aurora',
        entries: statement,
      },
      { kind: 'balance', at: 199_100, account: 'aurora', balance: 1_488, reserved: 0, available: 1_488 },
      { kind: 'balance', at: 199_100, account: 'boreal', balance: 0, reserved: 0, available: 0 },
      { kind: 'ready', at: end, process: 'a', status: 200, problems: [] },
      { kind: 'phones in calls', at: end, calls: [] },
      aurora,
      boreal,
    ],
  }
}
