/** Filters of lists, from a seed: nested operators with values that fit, and with those that do not. */
import type { SeededRandom } from '../crash/seeded-random.ts'
import { createHostileValues, writeJson } from './hostile-values.ts'

const operators =
  'eq neq gt gte lt lte between inq nin like nlike ilike nilike regexp exists near and or not'.split(' ')
const fields = (
  'id uuid name email phone role createdAt updatedAt started_at ended_at from to duration hangup_cause metadata ' +
  'metadata.a metadata.a.b metadata. metadata..a first_name last_name ramal bina gateway webhook status amount dueDate ' +
  'paymentMethod call_type action actor at account_id accounts.id password_hash 0'
).split(' ')
const patterns = [
  '%a%',
  '/a/i',
  '^(a+)+$',
  '(?:a|a)*b',
  '[',
  '(',
  '\\',
  'a{1,1000}',
  '%'.repeat(500),
  '.*'.repeat(90),
]
const maxDepth = 6

export function createHostileFilters(random: SeededRandom) {
  const { below, pick } = random
  const values = createHostileValues(random)
  const { chance, any } = values

  const field = () => (chance(0.9) ? any(fields) : values.key())

  function operand(operator: string): unknown {
    if (chance(0.2)) return values.value()
    if (operator === 'inq' || operator === 'nin') return Array.from({ length: below(5) }, simple)
    if (operator === 'between') return [simple(), simple()]
    return /like|regexp/.test(operator) ? any(patterns) : simple()
  }

  const simple = () => pick([1, 'a', true, null, '2026-11-15', '2026-11-15T12:00:00Z', below(100), 'ADMIN'])

  function where(depth: number): unknown {
    if (chance(0.05)) return values.value()
    const entries = Array.from({ length: 1 + below(3) }, () => {
      if (depth < maxDepth && chance(0.35)) {
        const parts = Array.from({ length: pick([0, 1, 2, 3, depth === 0 ? 120 : 4]) ?? 1 }, () =>
          where(depth + 1),
        )
        return [any(['and', 'or']), chance(0.95) ? parts : parts[0]]
      }
      const operator = any(operators)
      return [field(), chance(0.3) ? simple() : { [operator]: operand(operator) }]
    })
    return Object.fromEntries(entries)
  }

  function order(): unknown {
    const one = () => `${field()}${any([' ASC', ' DESC', '', ' asc', ' x', ' ASC NULLS LAST'])}`
    return chance(0.5) ? one() : Array.from({ length: below(4) }, one)
  }

  function filter(): string {
    const count = () => (chance(0.7) ? below(200) : values.value())
    const whole = {
      ...(chance(0.8) && { where: where(0) }),
      ...(chance(0.3) && { order: order() }),
      ...(chance(0.3) && { limit: count() }),
      ...(chance(0.2) && { [any(['skip', 'offset'])]: count() }),
      ...(chance(0.2) && { fields: chance(0.5) ? [field(), field()] : { [field()]: true } }),
      ...(chance(0.05) && { include: values.value() }),
      ...(chance(0.05) && { [values.key()]: values.value() }),
    }
    return writeJson(whole)
  }

  /** `filter[where][name][like]=a`, as some clients write it. */
  function bracketed(): string {
    const path = [any(['where', 'order', 'limit']), field(), any(operators), '0'].slice(0, 1 + below(4))
    return `filter${path.map((part) => `[${part}]`).join('')}=${encodeURIComponent(String(simple()))}`
  }

  return { filter, bracketed }
}
