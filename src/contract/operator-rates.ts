/** Rates as the operator reads, tries and imports them (D622). */
import { ChangeReason } from './operator-log.ts'
import { bodyOf } from './schema/body.ts'
import { Instant, nullable } from './schema/common.ts'
import { type Static, Type } from './schema/type.ts'

const count = (description: string, example: number) => Type.Integer({ description, examples: [example] })
const domain = Type.String({
  description: 'Of the account whose deck it is in; empty in the default deck',
  examples: [''],
})
const terms = {
  name: Type.String({ examples: ['Brazil mobile'] }),
  minutePrice: Type.Number({ description: 'Reais', examples: [0.12] }),
  firstBlock: count('Seconds that are billed at least', 30),
  step: count('Seconds of each further block', 6),
  grace: count('Seconds up to which a call is free', 3),
}
const dates = { from: Instant, until: nullable(Instant) }

const Rate = Type.Object({
  domain,
  prefix: Type.String({ description: 'Digits that numbers begin with', examples: ['55489'] }),
  ...terms,
  ...dates,
})
export type OperatorRate = Static<typeof Rate>

export const OperatorRates = Type.Object(
  {
    rows: Type.Array(Rate),
    total: Type.Integer({ examples: [1] }),
    page: Type.Integer({ examples: [1] }),
    perPage: Type.Integer({ examples: [25] }),
  },
  { $id: 'OperatorRates' },
)

export const OperatorRateSheet = Type.Object(
  { csv: Type.String({ examples: ['prefix,name,minute_price\n55489,Brazil mobile,0.1200\n'] }) },
  { $id: 'OperatorRateSheet' },
)

const csv = Type.String({
  maxLength: 900_000,
  description:
    'A line of names, then one line for each rate, separated by commas, or by semicolons or tabs, with which prices may have a decimal ' +
    'comma. Columns: `prefix` and `minute_price`, and where they are wanted `domain`, `name`, `first_block`, `step`, `grace`, ' +
    '`valid_from`, `valid_until`.',
  examples: ['prefix;name;minute_price\n55489;Brazil mobile;0,11\n'],
})
const replace = Type.Optional(
  Type.Boolean({
    description: 'Rates that the sheet does not name end, in the decks that it names',
    examples: [false],
  }),
)

export const OperatorRatePreview = Type.Object({ csv, replace }, bodyOf('Rate'))

export const OperatorRateImport = Type.Object(
  {
    csv,
    replace,
    plan: Type.String({
      pattern: '^[0-9a-f]{32}$',
      description: 'The `plan` of the preview: an import that would do something else is refused',
      examples: ['5f0c2d1b8a7e4f3960d2c4b8a1e7f935'],
    }),
    reason: ChangeReason,
  },
  bodyOf('Rate'),
)

const PlannedTerms = Type.Object({ ...terms, ...dates })

const PlanLine = Type.Object({
  kind: Type.Enum(['new', 'changed', 'gone']),
  domain,
  prefix: Type.String({ examples: ['55489'] }),
  before: Type.Optional(PlannedTerms),
  after: Type.Optional(PlannedTerms),
})
export type OperatorPlanLine = Static<typeof PlanLine>

/** The answer has the first lines of a long plan, and counts all. */
export const maxPlanLines = 500

export const OperatorRatePlan = Type.Object(
  {
    plan: Type.String({
      description: 'What the import is sent with',
      examples: ['5f0c2d1b8a7e4f3960d2c4b8a1e7f935'],
    }),
    applied: Type.Boolean({ examples: [false] }),
    counts: Type.Object({
      new: count('Rates that begin', 0),
      changed: count('Rates that change', 1),
      gone: count('Rates that end', 0),
      unchanged: count('Rates that stay as they are', 0),
      problems: count('Lines that cannot be used', 0),
    }),
    lines: Type.Array(PlanLine, { description: `The first ${maxPlanLines}, by deck and prefix` }),
    problems: Type.Array(
      Type.Object({
        line: Type.Optional(count('In the sheet, from 1, which is the line of names', 2)),
        message: Type.String({ examples: ['prefix must be 1 to 15 digits'] }),
      }),
      { description: `The first ${maxPlanLines}. With any, nothing is imported` },
    ),
  },
  { $id: 'OperatorRatePlan' },
)
export type OperatorRatePlan = Static<typeof OperatorRatePlan>

export const OperatorRateTrial = Type.Object(
  {
    number: Type.String({ minLength: 1, maxLength: 40, examples: ['+55 48 99999-8888'] }),
    domain: Type.Optional(
      Type.String({ maxLength: 253, description: 'Of the account that calls', examples: [''] }),
    ),
    seconds: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 86_400, description: 'Of talk; 60 if left out', examples: [60] }),
    ),
    csv: Type.Optional(csv),
    replace,
  },
  bodyOf('Rate'),
)

const Tried = Type.Object({
  ownDeck: Type.Boolean({ description: 'From the deck of the account', examples: [false] }),
  prefix: Type.String({ examples: ['55489'] }),
  ...terms,
  price: Type.Number({ description: 'Reais that the talk costs', examples: [0.12] }),
})
export type OperatorTriedRate = Static<typeof Tried>

export const OperatorRateFound = Type.Object(
  {
    number: Type.String({ examples: ['5548999998888'] }),
    seconds: Type.Integer({ examples: [60] }),
    current: Type.Optional(Tried),
    planned: Type.Optional(Tried),
  },
  {
    $id: 'OperatorRateFound',
    description:
      'The rate that holds now, and the one after an import of the sheet. Without a rate the number cannot be called.',
  },
)
export type OperatorRateFound = Static<typeof OperatorRateFound>
