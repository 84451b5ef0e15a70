/** Money: every centavo that came in is there, or a call took it; nothing stays reserved; prices follow the rates. */
import { entriesOf, type History, type Rate, type ShownCall, type StatementEntry } from '../history.ts'
import { createFindings, type Violation } from '../violation.ts'

export function checkMoney(history: History): Violation[] {
  const { found, expect } = createFindings('money')
  const payments = Map.groupBy(entriesOf(history, 'payment'), ({ account }) => account)
  const codeCalls = new Set(entriesOf(history, 'code call').map(({ call }) => `call:${call}`))
  let [total, expected] = [0, 0]
  for (const { account, calls } of entriesOf(history, 'final')) {
    const entries = lastStatement(history, account)
    for (const text of brokenChain(entries)) expect(false, () => `${account}: ${text}`)
    const balance = entries.at(-1)?.balance ?? 0
    const shown = entriesOf(history, 'balance').findLast((one) => one.account === account)
    expect(shown?.balance === balance, () => `${account} shows ${shown?.balance}, its statement ${balance}`)

    const byReference = Map.groupBy(entries, ({ reference }) => reference)
    for (const [reference, same] of byReference)
      expect(
        same.length === 1 || !reference.startsWith('call:'),
        () => `${account}: ${reference} has ${same.length} entries`,
      )
    for (const call of calls) {
      const paid = -(byReference.get(`call:${call.id}`)?.[0]?.amount ?? 0)
      expect(paid === (call.price ?? 0), () => `call ${call.id} costs ${call.price}, and ${paid} was taken`)
    }
    const known = new Set(calls.map(({ id }) => `call:${id}`))
    for (const { kind, reference } of entries)
      expect(
        kind !== 'call' || known.has(reference) || codeCalls.has(reference),
        () => `${account} paid for ${reference}, which is no call`,
      )

    const paidIn = sum((payments.get(account) ?? []).map(paidBy))
    const credited = sum(entries.filter(isOfCharge).map(({ amount }) => amount))
    expect(credited === paidIn, () => `${account} paid ${paidIn} and was credited ${credited}`)
    const given = sum(entries.filter(isGiven).map(({ amount }) => amount))
    const ofNumbers = entries.filter(({ reference }) => codeCalls.has(reference))
    const spent = sum(calls.map(({ price }) => price ?? 0)) - sum(ofNumbers.map(({ amount }) => amount))
    expect(
      balance === paidIn + given - spent,
      () => `${account} has ${balance} of ${paidIn} paid and ${given} given, after calls for ${spent}`,
    )
    total += balance
    expected += paidIn + given - spent
  }
  expect(total === expected, () => `all accounts have ${total}, and should have ${expected}`)
  for (const { account, at, available } of entriesOf(history, 'balance')) {
    const before = (payments.get(account) ?? []).filter((move) => move.state === 'refunded' && move.at < at)
    const refunded = sum(before.map(({ amount }) => amount))
    expect(available >= -refunded, () => `${account} had ${available} available at ${at}`)
  }
  return found
}

/** Each credit of the operator is entered at most once for its key, and exactly once if it was acknowledged with 200. */
export function checkCredit(history: History): Violation[] {
  const { found, expect } = createFindings('money')
  const attempts = Map.groupBy(entriesOf(history, 'credit'), ({ key }) => key)
  for (const [key, tries] of attempts) {
    const [{ account = '', amount = 0 } = {}] = tries
    const entered = lastStatement(history, account).filter(({ reference }) => reference === `manual:${key}`)
    const isAcknowledged = tries.some(({ status }) => status === 200)
    const isWhole = entered.every((entry) => entry.amount === amount)
    expect(
      isWhole && entered.length <= 1 && entered.length >= (isAcknowledged ? 1 : 0),
      () => `${account}: ${key} over ${amount} is entered as ${JSON.stringify(entered)}`,
    )
  }
  for (const { account } of entriesOf(history, 'final'))
    for (const { kind, reference } of lastStatement(history, account))
      expect(
        kind !== 'adjustment' || attempts.has(reference.replace('manual:', '')),
        () => `${account} was given ${reference}, which nobody ordered`,
      )
  return found
}

/** A refund that was acknowledged with 200 has been made at the gateway. */
export function checkRefunds(history: History): Violation[] {
  const { found, expect } = createFindings('money')
  const acknowledged = entriesOf(history, 'refund').filter(({ status }) => status === 200)
  const ordered = new Set(acknowledged.map(({ charge }) => charge))
  for (const { account, charges } of entriesOf(history, 'final'))
    for (const { id, status } of charges.filter((one) => ordered.has(one.id)))
      expect(status === 'REFUNDED', () => `charge ${id} of ${account} was to be refunded, and is ${status}`)
  return found
}

/** Each charge follows its payment: credited once, opposite entries for what went back, and the status of the gateway. */
export function checkCharges(history: History): Violation[] {
  const { found, expect } = createFindings('money')
  const payments = Map.groupBy(entriesOf(history, 'payment'), ({ payment }) => payment)
  for (const { account, charges } of entriesOf(history, 'final')) {
    const entries = lastStatement(history, account).filter(isOfCharge)
    for (const { id, payment, status } of charges) {
      const moves = payments.get(payment) ?? []
      const expected = moves.at(-1)?.status
      expect(
        expected === undefined || status === expected,
        () => `charge ${id} of ${account} is ${status}, its payment at the gateway ${expected}`,
      )
      const own = entries.filter(({ reference }) => reference.split(':')[1] === String(id))
      const [credited, refunded] = ['charge', 'refund'].map((kind) =>
        sum(own.filter((entry) => entry.kind === kind).map(({ amount }) => amount)),
      )
      const paid = sum(moves.filter(({ state }) => state === 'paid').map(paidBy))
      const back = sum(moves.filter(({ state }) => state === 'refunded').map(paidBy))
      expect(credited === paid, () => `charge ${id} of ${account}: ${paid} was paid, ${credited} credited`)
      expect(refunded === back, () => `charge ${id} of ${account}: ${back} went back, ${refunded} is booked`)
    }
  }
  return found
}

const signOf = { paid: 1, moved: 0, refunded: -1 }
const paidBy = ({ state, amount }: { state: keyof typeof signOf; amount: number }) => signOf[state] * amount

const isGiven = ({ kind }: StatementEntry) => kind === 'trial' || kind === 'adjustment'
const isOfCharge = ({ kind }: StatementEntry) => kind === 'charge' || kind === 'refund'

export function lastStatement(history: History, account: string): StatementEntry[] {
  return entriesOf(history, 'statement').findLast((one) => one.account === account)?.entries ?? []
}

/** Each entry goes on from the balance before it; no call takes more than there was before money went back to the payer (D34). */
function brokenChain(entries: readonly StatementEntry[]): string[] {
  let refunded = 0
  return entries.flatMap(({ id, kind, amount, balance }, index) => {
    const before = entries[index - 1]?.balance ?? 0
    if (kind === 'refund') refunded -= amount
    if (balance !== before + amount) return [`entry ${id} makes ${balance} of ${before} and ${amount}`]
    return kind === 'call' && balance + refunded < 0 ? [`entry ${id} of a call leaves ${balance}`] : []
  })
}

/** When all has settled, no credit is set aside. */
export function checkReservations(history: History): Violation[] {
  const { found, expect } = createFindings('reservations')
  const last = new Map(entriesOf(history, 'balance').map((one) => [one.account, one]))
  for (const { account, reserved } of last.values())
    expect(reserved === 0, () => `${account} has ${reserved} reserved for calls that are over`)
  return found
}

/** How much shorter than its talk a call of a node that was well may be. */
const lostSeconds = 3

/** The price follows the rate and the duration; the duration is no longer than the talk was, and no shorter if its node was well. */
export function checkPrices(history: History): Violation[] {
  const { found, expect } = createFindings('price')
  const talks = new Map(entriesOf(history, 'talk').map((talk) => [talk.call, talk]))
  const undisturbed = new Set(entriesOf(history, 'undisturbed').map(({ call }) => call))
  for (const { calls } of entriesOf(history, 'final')) {
    for (const call of calls) {
      const { id, type, to, duration, price, forgiven } = call
      expect(price !== null, () => `call ${id} has no price`)
      const rate = type === 'outbound' ? rateOf(history.rates, to) : undefined
      const full = rate ? priceBy(rate, duration) : 0
      expect(
        (price ?? 0) + forgiven === full,
        () => `call ${id} of ${duration} s costs ${price} (${forgiven} forgiven) in place of ${full}`,
      )
      expect(duration === talkOf(call), () => `call ${id} lasts ${duration} s in place of ${talkOf(call)}`)
      const talk = talks.get(id)
      const talked = talk ? (talk.endedAt - talk.answeredAt) / 1000 : 0
      expect(duration <= Math.ceil(talked), () => `call ${id} of ${talked} s is billed for ${duration} s`)
      expect(
        !undisturbed.has(id) || duration >= talked - lostSeconds,
        () => `call ${id} of ${talked} s is billed for ${duration} s, though its node was well`,
      )
    }
  }
  return found
}

function talkOf({ answeredAt, endedAt }: ShownCall): number {
  if (answeredAt === null || endedAt === null) return 0
  return Math.max(0, Math.floor((endedAt - answeredAt) / 1000))
}

export function rateOf(rates: readonly Rate[], number: string): Rate | undefined {
  return rates
    .filter(({ prefix }) => number.startsWith(prefix))
    .toSorted((a, b) => b.prefix.length - a.prefix.length)[0]
}

/** By whole blocks; a fraction of a centavo is rounded half up. */
export function priceBy({ minutePrice, firstBlock, step, grace }: Rate, seconds: number): number {
  if (seconds <= grace) return 0
  const billed = Math.max(firstBlock, Math.ceil(seconds / step) * step)
  return Math.floor((minutePrice * billed + 3_000) / 6_000)
}

const sum = (amounts: number[]) => amounts.reduce((all, one) => all + one, 0)
