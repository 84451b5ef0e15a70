/** The mutated files, and the tests that are run against them: those of the area alone, so that an area takes minutes. */

export type Area = {
  /** Paths and patterns; one that begins with ! is left out. */
  mutated: string[]
  tests: string[]
  /** Its tests need no database. */
  isPure?: true
}

export const canary: Area = {
  mutated: ['proof/mutation/canary/canary.ts'],
  tests: ['proof/mutation/canary/*.test.ts'],
}

export const areas: Record<string, Area> = {
  'billing/prices': {
    mutated: ['src/billing/{credit,ledger,tariff}/*.ts', '!src/billing/**/*.test.ts'],
    tests: [
      'src/billing/tariff/{rate,rate-table,rate-sheet,rate-changes,decks,plan-lines}.test.ts',
      'src/billing/ledger/*.test.ts',
      'src/billing/credit/*.test.ts',
      'src/billing/tariff/{rate-imports,tariff}.test.ts',
      'src/calls/admission/admission.test.ts',
      'test/journeys/money/money.test.ts',
    ],
  },
  'billing/charges': {
    mutated: ['src/billing/billing.ts', 'src/billing/charges/*.ts', '!src/billing/**/*.test.ts'],
    tests: [
      'src/billing/charges/*.test.ts',
      'test/spec/money/lost-orders.test.ts',
      'test/spec/money/section-4-2-*.test.ts',
      'test/spec/lists/{searchable-fields,updates}.test.ts',
      'test/journeys/money/charge-events.test.ts',
    ],
  },
  'call-states': {
    mutated: ['src/calls/call.ts', 'src/calls/events/*.ts', '!src/calls/events/*.test.ts'],
    tests: [
      'src/calls/events/*.test.ts',
      'test/spec/calls/section-3-states.test.ts',
      'test/journeys/events/call-events.test.ts',
      'test/journeys/money/money.test.ts',
    ],
  },
  webhooks: {
    mutated: [
      'src/webhooks/delivering/*.ts',
      'src/webhooks/sending/*.ts',
      'src/webhooks/write-events.ts',
      '!src/webhooks/**/*.test.ts',
    ],
    tests: [
      'src/webhooks/**/*.test.ts',
      'test/spec/webhooks/section-6-*.test.ts',
      'test/journeys/events/webhooks-*.test.ts',
    ],
  },
  tokens: {
    mutated: ['src/users/tokens/*.ts', '!src/users/tokens/*.test.ts'],
    tests: [
      'src/users/tokens/*.test.ts',
      'test/spec/users/section-5-authentication.test.ts',
      'test/spec/users/token-limits.test.ts',
      'test/spec/users/{reauthentication,console-session}.test.ts',
      'test/journeys/fleet/suspension.test.ts',
      'test/journeys/database/hangup-without-database.test.ts',
    ],
  },
  limiter: {
    mutated: ['src/http/limits/*.ts', 'src/http/server/admission/*.ts', '!src/http/**/*.test.ts'],
    tests: [
      'src/http/limits/!(redis-)*.test.ts',
      'src/http/server/admission/*.test.ts',
      'test/spec/http/section-8-limits.test.ts',
      // Each mutant that keeps it waiting takes a minute.
      'src/http/limits/redis-*.test.ts',
    ],
  },
  digest: {
    mutated: ['src/sip/digest/*.ts', '!src/sip/digest/*.test.ts'],
    tests: ['src/sip/digest/*.test.ts'],
    isPure: true,
  },
}

/** An area by its name, or all those below it: `billing` has several, each with tests of its own. */
export function areasOf(name: string): string[] {
  return Object.keys(areas).filter((one) => one === name || one.startsWith(`${name}/`))
}
