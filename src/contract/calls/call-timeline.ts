/** The timeline of a call (D317), as `GET /calls/{id}/events` shows it. */
import { Instant } from '../schema/common.ts'
import { type Static, Type } from '../schema/type.ts'
import { Delivery, Try } from '../webhooks/events.ts'

const momentTypes = [
  'created',
  'ringing',
  'extension-answered',
  'transfer-received',
  'answered',
  'key-pressed',
  'transferred',
  'ended',
] as const

const CallMoment = Type.Object({
  at: Instant,
  type: Type.Enum([...momentTypes], {
    description:
      '`ringing`: the phone of the extension rings. `extension-answered`: its user picked up, or dialled. `answered`: the call is talked in. `transferred`: to another call, for which it is `transfer-received`.',
    examples: ['answered'],
  }),
  by: Type.Optional(
    Type.Enum(['extension', 'destination', 'service', 'api'], {
      description: 'Who ended the call, or pressed the key',
    }),
  ),
  to: Type.Optional(
    Type.String({
      description: 'Where the call was transferred; who received the key',
      examples: ['destination'],
    }),
  ),
  key: Type.Optional(Type.String({ description: 'As in `keys` of the call', examples: ['x'] })),
  callId: Type.Optional(
    Type.String({
      format: 'uuid',
      description: 'The other call of a transfer',
      examples: ['0193a2f4-9b1d-7e02-8c44-6a7b8c9d0e1f'],
    }),
  ),
  cause: Type.Optional(Type.String({ description: 'Why the call ended', examples: ['NORMAL_CLEARING'] })),
})
export type CallMoment = Static<typeof CallMoment>

const CallPrice = Type.Object({
  rate: Type.String({ description: 'The name of the rate', examples: ['Brasil, celular'] }),
  prefix: Type.String({ description: 'The digits that chose it', examples: ['55489'] }),
  minutePrice: Type.Number({ description: 'Reais', examples: [0.12] }),
  seconds: Type.Integer({ description: 'Talked', examples: [51] }),
  billedSeconds: Type.Integer({ description: 'In whole blocks', examples: [54] }),
  firstBlock: Type.Integer({ description: 'Seconds that are billed at least', examples: [30] }),
  step: Type.Integer({ description: 'Seconds of each block after the first', examples: [6] }),
  grace: Type.Integer({ description: 'A call up to so many seconds is free', examples: [3] }),
  forgiven: Type.Number({ description: 'Reais that the account could not pay', examples: [0] }),
  price: Type.Number({ description: 'Reais', examples: [0.11] }),
})
export type CallPrice = Static<typeof CallPrice>

const CallDelivery = Type.Object({
  integrationId: Type.Integer({ examples: [7] }),
  gateway: Type.String({ description: 'Your code for the integration', examples: ['my-crm'] }),
  delivery: Delivery,
  tries: Type.Array(Try, { description: 'The last 20' }),
})

export const CallTimeline = Type.Object(
  {
    events: Type.Array(CallMoment, { description: 'In the order in which they happened' }),
    price: Type.Union([CallPrice, Type.Null()], {
      description: 'How the price came about; null if the call is free, or not over',
    }),
    deliveries: Type.Optional(
      Type.Array(CallDelivery, {
        description:
          'Of the events of the call, to your own webhooks; left out for a token without the scope `admin`',
      }),
    ),
  },
  { $id: 'CallTimeline' },
)
