/** The bodies that webhooks are sent, as the outside sees them (spec §6); webhooks/payload.ts composes them. */

import { alertRules } from '../accounts/account-limits.ts'
import { endedBy, maybeNumber, StoredQuality, shownStatuses } from '../calls/call-record.ts'
import { resultFields } from '../calls/call-results.ts'
import { paymentMethods } from '../money/charges.ts'
import { Instant, nullable } from '../schema/common.ts'
import { type TObject, Type } from '../schema/type.ts'
import type { EventType } from './events.ts'

const uuid = (example: string) => Type.String({ format: 'uuid', examples: [example] })
const localTime = (description: string, example: string) => Type.String({ description, examples: [example] })
const reais = (description: string, example: number) => Type.Number({ description, examples: [example] })

const accountUuid = uuid('0193a2f0-0b1c-7d2e-8f30-41526374a5b6')
const domain = Type.String({ examples: ['aurora.ramal.localhost'] })
const sequence = Type.Integer({
  description: 'The number of the event among those of the same call, account or charge, from 1',
  examples: [3],
})
const timezone = Type.String({
  description: 'The time zone of the account, which local times are in',
  examples: ['America/Sao_Paulo'],
})
const version = Type.String({
  description: 'The `webhookVersion` of the integration',
  examples: ['1.8'],
})

const callFields = {
  version,
  eventType: Type.String({ examples: ['channel-answer'] }),
  id: Type.String({
    format: 'uuid',
    description: 'The call: the id that POST /calls answered and GET /calls lists',
    examples: ['0193a2f4-7a3c-7c1e-9d3b-5f1e2a4b6c8d'],
  }),
  domain,
  direction: Type.Enum(['outbound', 'inbound']),
  caller: Type.String({ description: 'The extension that made the call', examples: ['1000'] }),
  called: Type.String({ description: 'The number that was called', examples: ['5548999998888'] }),
  startedAt: localTime('YYYY-MM-DD HH:MM:SS, local to the account', '2026-11-15 09:30:00'),
  answeredAt: localTime('As startedAt; empty while nobody has answered', '2026-11-15 09:30:09'),
}
const lastCallFields = {
  metadata: Type.Record(Type.String(), Type.Unknown(), {
    description: 'As sent when the call was placed',
    examples: [{ lead_id: 4711, campaign: 'spring' }],
  }),
  accountUuid,
  userUuid: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'The user who placed the call; null if none did',
    examples: ['0193a2f0-0b1d-7a11-b3c4-d5e6f7a8b9c0'],
  }),
  extensionUserUuid: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'The user to whom the extension belongs; null if to nobody',
    examples: ['0193a2f0-0b1d-7a11-b3c4-d5e6f7a8b9c0'],
  }),
  sequence,
  timezone,
}

const CallEvent = Type.Object({ ...callFields, ...lastCallFields }, { $id: 'CallEvent' })

const endFields = {
  endedAt: localTime('As startedAt', '2026-11-15 09:31:00'),
  duration: Type.Integer({ description: 'Whole seconds from answer to end', examples: [51] }),
  hangupCause: Type.String({ description: 'Why the call ended', examples: ['NORMAL_CLEARING'] }),
  hangupCauseCode: Type.String({ description: 'The same as a number', examples: ['16'] }),
  recordUrl: Type.String({
    description: 'Where the recording is; empty when there is none',
    examples: [
      'https://ramal.example/api/v1/calls/0193a2f4-7a3c-7c1e-9d3b-5f1e2a4b6c8d/recording?expires=1770985860&signature=4f1c',
    ],
  }),
  // D584: as GET /calls/{id} shows them.
  status: Type.Enum(shownStatuses, { examples: ['completed'] }),
  endedBy,
  minutePrice: maybeNumber(reais('Reais; null until priced', 0.12)),
  callPrice: maybeNumber(reais('Reais; null until priced', 0.1)),
}

const EndedCallEvent = Type.Object(
  {
    ...callFields,
    ...endFields,
    quality: Type.Optional(StoredQuality),
    ...lastCallFields,
  },
  { $id: 'EndedCallEvent' },
)

/** D595: of a call that is still going on, what its end will bring is empty, and the duration 0. */
const UpdatedCallEvent = Type.Object(
  {
    ...callFields,
    ...endFields,
    ...resultFields,
    revision: Type.Integer({
      description:
        'How many changes the call has had: one with a smaller number is older, whenever it arrives',
      examples: [1],
    }),
    updatedBy: Type.String({
      format: 'uuid',
      description: 'The user who made the change',
      examples: ['0193a2f0-0b1d-7a11-b3c4-d5e6f7a8b9c0'],
    }),
    ...lastCallFields,
  },
  { $id: 'UpdatedCallEvent' },
)

const TransferEvent = Type.Object(
  {
    ...callFields,
    transferId: Type.String({
      format: 'uuid',
      description: 'The call that connects the new party; it has a record and events of its own',
      examples: ['0193a2f4-9b1d-7e02-8c44-6a7b8c9d0e1f'],
    }),
    transferTo: Type.String({ description: 'The new party', examples: ['1001'] }),
    ...lastCallFields,
  },
  { $id: 'TransferEvent' },
)

const accountFields = {
  version,
  eventType: Type.String({ examples: ['account-low-balance'] }),
  id: uuid('0193a2f6-2d4e-7b60-a1b2-c3d4e5f60718'),
  domain,
}
const lastAccountFields = {
  at: Instant,
  metadata: Type.Record(Type.String(), Type.Unknown(), { examples: [{}] }),
  accountUuid,
  sequence,
  timezone,
}
const moneyFields = {
  balance: reais('Reais in the account after it', 4.86),
  currency: Type.Literal('BRL'),
  ...lastAccountFields,
}

const AlertEvent = Type.Object(
  {
    ...accountFields,
    rule: Type.Enum([...alertRules], { description: 'What the alert is about', examples: ['destination'] }),
    message: Type.String({
      examples: [
        'A call to +447012345678 was refused: United Kingdom, personal numbers is not enabled for the account.',
      ],
    }),
    details: Type.Record(Type.String(), Type.Unknown(), {
      description: 'The facts, by rule',
      examples: [{ number: '447012345678', prefix: '4470' }],
    }),
    ...lastAccountFields,
  },
  { $id: 'AlertEvent' },
)

const LowBalanceEvent = Type.Object({ ...accountFields, ...moneyFields }, { $id: 'LowBalanceEvent' })

const ChargeEvent = Type.Object(
  {
    ...accountFields,
    chargeId: Type.Integer({ description: 'The id of the charge', examples: [42] }),
    amount: reais('Reais of credit', 100),
    totalAmount: reais('Reais the payer owed', 100),
    paymentMethod: Type.Enum([...paymentMethods], { examples: ['PIX'] }),
    paidAt: nullable(Instant),
    refundedAt: nullable(Instant),
    refundedAmount: reais('Reais that went back to the payer so far', 0),
    ...moneyFields,
  },
  { $id: 'ChargeEvent' },
)

/** A type of event without its payload does not compile. */
export const webhookPayloads: Record<EventType, TObject> = {
  'channel-answer': CallEvent,
  'channel-hangup': EndedCallEvent,
  'channel-create': CallEvent,
  'channel-ringing': CallEvent,
  'channel-transfer': TransferEvent,
  'recording-ready': EndedCallEvent,
  'recording-lost': EndedCallEvent,
  'call-updated': UpdatedCallEvent,
  'account-low-balance': LowBalanceEvent,
  'account-alert': AlertEvent,
  'charge-paid': ChargeEvent,
  'charge-refunded': ChargeEvent,
  test: EndedCallEvent,
}
