/**
 * Money under any order of events: people pay, take their money back, call at the same time, are cut off, and
 * processes die half way. Whatever happens, the books add up.
 */
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../users/caller.ts'
import { verifyLedger } from './ledger/verify.ts'
import { priceOf, type Rate } from './tariff/rate.ts'
import { type Books, openBooks } from './testing/books.ts'

const runs = Number(process.env.MODEL_RUNS ?? 12)
const mobile = '5548999998888'

let books: Books
beforeAll(async () => {
  books = await openBooks({ connections: 12 })
})
afterAll(() => books.close())

type ModelAction =
  | { does: 'call'; dies: boolean }
  | { does: 'talk'; which: number; seconds: number }
  | { does: 'hang up'; which: number; share: number; dies: boolean; twice: boolean }
  | { does: 'charge' | 'pay' | 'pay twice' | 'cancel' | 'refund' | 'charge back' }

const which = fc.nat({ max: 9 })
const action: fc.Arbitrary<ModelAction> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ does: fc.constant('call' as const), dies: lately() }) },
  {
    weight: 3,
    arbitrary: fc.record({
      does: fc.constant('talk' as const),
      which,
      seconds: fc.integer({ min: 1, max: 900 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      does: fc.constant('hang up' as const),
      which,
      share: fc.integer({ min: 0, max: 130 }),
      dies: lately(),
      twice: fc.boolean(),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      does: fc.constantFrom('charge', 'charge', 'pay', 'pay', 'pay twice', 'cancel', 'refund', 'charge back'),
    }),
  },
)
function lately() {
  return fc.nat({ max: 4 }).map((number) => number === 0)
}
/** What happens at the same time, and then what happens after it. */
const story = fc.array(fc.array(action, { minLength: 1, maxLength: 6 }), { minLength: 3, maxLength: 14 })

type Call = { callId: string; rate: Rate; seconds: number }
class Died extends Error {}

function createWorld(caller: Caller) {
  const { accountId } = caller
  const live = new Map<string, Call>()
  const prices = new Map<string, number>()
  let everRefunded = false

  /** The process dies before it could say that all is well. */
  const dying = <T>(work: Promise<T>) =>
    work.catch((error: unknown) => {
      if (!(error instanceof Died)) throw error
      return undefined
    })

  async function call(dies: boolean) {
    const callId = books.newCall()
    const reserved = await dying(
      books.db.transaction().execute(async (tx) => {
        const granted = await books.credit.reserve(tx, [{ accountId, callId, destination: mobile }])
        if (dies) throw new Died()
        return granted
      }),
    )
    const granted = reserved?.answers.get(callId)
    if (typeof granted === 'object' && 'rate' in granted) {
      live.set(callId, { callId, rate: granted.rate, seconds: granted.talkSeconds })
    }
  }

  const nth = (number: number): Call | undefined => [...live.values()][number % Math.max(1, live.size)]

  async function talk(one: Call | undefined, more: number) {
    if (!one) return
    const talkSeconds = one.seconds + more
    const now = (await books.credit.extend([{ accountId, callId: one.callId, talkSeconds }])).get(
      one.callId,
    )?.talkSeconds
    if (now !== undefined) one.seconds = Math.max(one.seconds, now)
  }

  /** After a share of what was paid for, in percent; above a hundred nobody cut it off in time. */
  async function hangUp(one: Call | undefined, share: number, dies: boolean, twice = false) {
    if (!one) return
    const { callId, rate } = one
    const seconds = Math.floor((one.seconds * share) / 100)
    const end = () =>
      dying(
        books.db.transaction().execute(async (tx) => {
          const settled = await books.credit.settle(tx, [{ accountId, callId, destination: mobile, seconds }])
          if (dies) throw new Died()
          return settled.get(callId)
        }),
      )
    const answers = await Promise.all(twice ? [end(), end()] : [end()])
    if (dies) return
    live.delete(callId)
    const settled = answers.filter((answer) => answer !== undefined)
    // Another action of the same moment may have ended it.
    if (settled.length === 0) return
    expect(settled).toHaveLength(1)
    expect(prices.has(callId)).toBe(false)
    const [{ price, pricing } = { price: -1, pricing: undefined }] = settled
    expect(price + (pricing?.forgiven ?? 0)).toBe(priceOf(rate, pricing?.seconds ?? 0))
    if (share <= 100) expect(pricing?.forgiven).toBeUndefined()
    prices.set(callId, price)
  }

  const newest = async (...statuses: string[]) => {
    const { rows } = {
      rows: await books.db.selectFrom('charges').selectAll().where('account_id', '=', accountId).execute(),
    }
    return rows.filter(({ status }) => statuses.includes(status)).at(-1)
  }

  async function deliver(
    paymentId: string | null | undefined,
    status: 'RECEIVED' | 'REFUNDED' | 'CHARGEBACK_REQUESTED',
  ) {
    if (!paymentId) return
    const event = books.gateway.eventOf(paymentId, status)
    await books.reconciliation.receive(event)
    await Promise.all([books.reconciliation.tick(), books.reconciliation.receive(event)])
  }

  async function money(does: Exclude<ModelAction['does'], 'call' | 'talk' | 'hang up'>) {
    if (does === 'charge') {
      const request = { method: 'PIX' as const, dueDate: '2026-11-18', amount: 5.01, description: '' }
      await books.charges.create(caller, request).catch(expectRefusal)
    } else if (does === 'pay' || does === 'pay twice') {
      const open = await newest('PENDING', 'CANCELLED')
      await deliver(open?.payment_id, 'RECEIVED')
      if (does === 'pay twice') await deliver((await newest('RECEIVED'))?.payment_id, 'RECEIVED')
    } else if (does === 'cancel') {
      const open = await newest('PENDING')
      // A charge that is still being ordered at the gateway does not exist for its account yet.
      const refusal = open?.payment_id ? expectRefusal : expectRefusalOf('CHARGE_NOT_FOUND')
      if (open) await books.charges.cancel(caller, open.id).catch(refusal)
    } else {
      everRefunded = true
      const paid = await newest('RECEIVED')
      if (does === 'charge back') await deliver(paid?.payment_id, 'CHARGEBACK_REQUESTED')
      await deliver(paid?.payment_id, 'REFUNDED')
    }
  }

  async function perform(action: ModelAction) {
    if (action.does === 'call') await call(action.dies)
    else if (action.does === 'talk') await talk(nth(action.which), action.seconds)
    else if (action.does === 'hang up')
      await hangUp(nth(action.which), action.share, action.dies, action.twice)
    else await money(action.does)
  }

  async function check() {
    // Only findings of this account: those of earlier stories belong to them.
    const { findings } = await verifyLedger(books.db)
    expect(findings.filter((finding) => finding.startsWith(`account ${accountId}:`))).toEqual([])
    const entries = await books.db
      .selectFrom('ledger_entries')
      .selectAll()
      .where('account_id', '=', accountId)
      .execute()
    const balance = entries.reduce((sum, { amount }) => sum + amount, 0)
    const refunds = entries
      .filter(({ kind }) => kind === 'refund')
      .reduce((sum, { amount }) => sum - amount, 0)
    // Below zero only as far as money was taken back.
    expect(balance).toBeGreaterThanOrEqual(everRefunded ? -refunds : 0)
    const billed = entries.filter(({ kind }) => kind === 'call')
    expect(new Map(billed.map(({ reference, amount }) => [reference, -amount]))).toEqual(
      new Map(
        [...prices].filter(([, price]) => price > 0).map(([callId, price]) => [`call:${callId}`, price]),
      ),
    )
    const kept = await books.db
      .selectFrom('reservations')
      .select('call_id')
      .where('account_id', '=', accountId)
      .execute()
    expect(new Set(kept.map(({ call_id }) => call_id))).toEqual(new Set(live.keys()))
  }

  /** Whatever is left, others end. */
  async function endAll() {
    await Promise.all([...live.values()].map((one) => hangUp(one, 100, false)))
    expect(live.size).toBe(0)
  }

  return { perform, check, endAll }
}

const expectRefusal = expectRefusalOf()
function expectRefusalOf(...more: string[]) {
  return (error: unknown) => {
    const { code } = error as { code?: string }
    expect(['CHARGE_OPEN', 'CHARGE_NOT_CANCELLABLE', ...more]).toContain(code)
  }
}

test('whatever happens, the books add up, nothing is paid twice, and every reservation ends', {
  timeout: 300_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(story, fc.integer({ min: 0, max: 80 }), async (moments, credit) => {
      const world = createWorld(await books.addAccount(credit))
      for (const moment of moments) {
        await Promise.all(moment.map(world.perform))
        await world.check()
      }
      await world.endAll()
      await world.check()
    }),
    { numRuns: runs },
  )
})
