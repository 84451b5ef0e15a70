/** Trunks as the operator sees, adds, changes, switches, tests and removes them (D624, D668). */
import { ChangeReason } from './operator-log.ts'
import { bodyOf } from './schema/body.ts'
import { nullable } from './schema/common.ts'
import { type Static, Type } from './schema/type.ts'

const text = (description: string, example: string) => Type.String({ description, examples: [example] })
const whole = (description: string, example: number, minimum: number, maximum: number) =>
  Type.Optional(Type.Integer({ description, examples: [example], minimum, maximum }))
const list = (description: string, example: string[]) =>
  Type.Optional(
    Type.Array(Type.String({ maxLength: 100 }), { description, examples: [example], maxItems: 256 }),
  )

const formats = ['e164-plus', 'e164', 'national'] as const
const fromChoices = ['number', 'username'] as const

const address = Type.String({
  minLength: 1,
  maxLength: 300,
  description: 'A SIP address, such as sip:carrier.example or sip:203.0.113.7:5060;transport=tcp',
  examples: ['sip:carrier.example'],
})

/** The fields are those of the setting TRUNKS, which docs/trunks.md explains. */
const settable = {
  username: Type.Optional(Type.String({ minLength: 1, maxLength: 128, examples: ['ramal'] })),
  password: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 128,
      description: 'Kept sealed, and never answered',
      examples: ['a secret of the carrier'],
    }),
  ),
  register: Type.Optional(
    Type.Boolean({ description: 'Whether we register at the carrier, as a phone does', examples: [true] }),
  ),
  format: Type.Optional(
    Type.Enum([...formats], { description: 'How the carrier writes numbers; e164 if left out' }),
  ),
  callerId: Type.Optional(
    Type.String({
      maxLength: 40,
      description: 'Number that is presented for calls without one of their own',
      examples: ['554830000000'],
    }),
  ),
  from: Type.Optional(
    Type.Enum([...fromChoices], { description: 'What stands in From; number if left out' }),
  ),
  trust: list('Addresses and networks the carrier calls from, besides its own', ['203.0.113.0/24']),
  prefixes: list('Prefixes of the numbers that it serves; all if empty', ['55']),
  services: list('Short numbers that it takes', ['190']),
  priority: whole('The lowest is tried first', 1, 1, 100),
  weight: whole('Its share among those of one priority', 1, 1, 100),
  channels: whole('Calls at once, of all nodes together', 30, 1, 10_000),
  callsPerSecond: whole('New calls a second, of all nodes together', 20, 1, 1_000),
  qualifySeconds: whole('Interval of OPTIONS; 0 sends none', 60, 0, 3_600),
  codecs: list('In order of preference', ['PCMA', 'PCMU']),
  srtp: Type.Optional(Type.Boolean({ description: 'Over TLS only', examples: [false] })),
  nodes: list('Addresses (SIP_PUBLIC_HOST) of the nodes that use it; all if empty', []),
}

export const OperatorNewTrunk = Type.Object(
  {
    name: Type.String({
      pattern: '^[A-Za-z0-9][A-Za-z0-9_-]{0,31}$',
      description: 'Up to 32 letters, digits, - and _',
      examples: ['backup'],
    }),
    address,
    ...settable,
    on: Type.Optional(
      Type.Boolean({ description: 'Whether it is used at once; true if left out', examples: [true] }),
    ),
    reason: ChangeReason,
  },
  bodyOf('Trunk'),
)
export type OperatorNewTrunk = Static<typeof OperatorNewTrunk>

const { username, password, callerId } = settable

/** D668: fields that are left out stay as they are. */
export const OperatorTrunkChange = Type.Object(
  {
    address: Type.Optional(address),
    ...settable,
    username: Type.Optional(nullable(username)),
    password: Type.Optional(nullable(password)),
    callerId: Type.Optional(nullable(callerId)),
    reason: ChangeReason,
  },
  bodyOf('Trunk'),
)

const TrunkSettings = Type.Object({
  address: text('Of the carrier', 'sip:carrier.example'),
  transport: Type.Enum(['udp', 'tcp', 'tls']),
  username: nullable(Type.String({ examples: ['ramal'] })),
  hasPassword: Type.Boolean({ examples: [true] }),
  register: Type.Boolean({ examples: [true] }),
  format: Type.Enum([...formats]),
  callerId: nullable(Type.String({ examples: ['554830000000'] })),
  from: Type.Enum([...fromChoices]),
  trust: Type.Array(Type.String(), { examples: [['203.0.113.0/24']] }),
  prefixes: Type.Array(Type.String(), { examples: [['55']] }),
  services: Type.Array(Type.String(), { examples: [['190']] }),
  priority: Type.Integer({ examples: [1] }),
  weight: Type.Integer({ examples: [1] }),
  channels: Type.Integer({ examples: [30] }),
  callsPerSecond: Type.Integer({ examples: [20] }),
  qualifySeconds: Type.Integer({ examples: [60] }),
  codecs: Type.Array(Type.String(), { examples: [['PCMA', 'PCMU']] }),
  srtp: Type.Boolean({ examples: [false] }),
  nodes: Type.Array(Type.String(), { examples: [[]] }),
})

const NodeState = Type.Object({
  node: text('The id of a process', '0193a2f4-7a3c-7c1e-9d3b-5f1e2a4b6c8d'),
  host: nullable(text('The name of its machine', 'voice-1')),
  used: Type.Integer({ description: 'Channels that have calls', examples: [2] }),
  problems: Type.Array(Type.String(), {
    description: 'What keeps it from working, as the node reported it within the last seconds',
    examples: [[]],
  }),
})

export const OperatorTrunk = Type.Object(
  {
    name: text('Of the trunk', 'backup'),
    source: Type.Enum(['setting', 'stored'], {
      description: '`setting`: of TRUNKS, and can be switched but not removed here',
    }),
    on: Type.Boolean({ examples: [true] }),
    settings: TrunkSettings,
    nodes: Type.Array(NodeState, { description: 'The voice nodes that use it now' }),
  },
  { $id: 'OperatorTrunk' },
)
export type OperatorTrunk = Static<typeof OperatorTrunk>

export const OperatorTrunks = Type.Object(
  {
    sandbox: Type.Boolean({
      description: 'Calls go to the sandbox carrier, because TRUNKS is not set; no trunk can be added',
      examples: [false],
    }),
    rows: Type.Array(OperatorTrunk),
  },
  { $id: 'OperatorTrunks' },
)
export type OperatorTrunks = Static<typeof OperatorTrunks>

export const OperatorTrunkSwitch = Type.Object(
  { on: Type.Boolean({ examples: [false] }), reason: ChangeReason },
  bodyOf('Trunk'),
)

export const OperatorTrunkRemoval = Type.Object({ reason: ChangeReason }, bodyOf('Trunk'))

export const OperatorTrunkRemoved = Type.Object(
  { name: text('Of the trunk', 'backup') },
  { $id: 'OperatorTrunkRemoved' },
)

const NodeTest = Type.Object({
  node: text('The id of a process', '0193a2f4-7a3c-7c1e-9d3b-5f1e2a4b6c8d'),
  host: nullable(text('The name of its machine', 'voice-1')),
  state: Type.Enum(['answered', 'unresolved', 'not-used', 'no-answer'], {
    description:
      '`unresolved`: the address is not known to DNS; `not-used`: the trunk is bound to other nodes; `no-answer`: the node did not report',
  }),
  responses: Type.Array(
    Type.Object({
      address: text('Of the carrier', '203.0.113.7:5060'),
      status: Type.Optional(
        Type.Integer({ description: 'Of the SIP response; absent if none came', examples: [200] }),
      ),
      reason: Type.Optional(Type.String({ examples: ['OK'] })),
      milliseconds: Type.Integer({ examples: [23] }),
    }),
  ),
})

export const OperatorTrunkTest = Type.Object(
  {
    name: text('Of the trunk', 'backup'),
    works: Type.Boolean({
      description: 'Every node that uses it got a response other than 503 from some address',
      examples: [true],
    }),
    nodes: Type.Array(NodeTest),
  },
  { $id: 'OperatorTrunkTest' },
)
export type OperatorTrunkTest = Static<typeof OperatorTrunkTest>
