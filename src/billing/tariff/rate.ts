/** A rate: what a minute costs, in which blocks it is billed (D40), and so what a call costs. */
import { type Centavos, type MinutePrice, priceOfSeconds, secondsPaidBy } from '../../kit/money.ts'

export type Rate = {
  /** What the number begins with. */
  prefix: string
  name: string
  minutePrice: MinutePrice
  /** In seconds: what is billed at least, and then in which steps; the first block is made of whole steps. */
  firstBlock: number
  step: number
  /** A call no longer than this costs nothing. */
  grace: number
}

/** D40: unless a rate says otherwise. */
export const usualBlocks = { firstBlock: 30, step: 6, grace: 3 }

/** D40 */
export function billedSeconds({ firstBlock, step, grace }: Rate, seconds: number): number {
  if (seconds <= grace) return 0
  return Math.max(firstBlock, step * Math.ceil(seconds / step))
}

/** The price of a call with this many seconds of talk. */
export function priceOf(rate: Rate, seconds: number): Centavos {
  return priceOfSeconds(rate.minutePrice, billedSeconds(rate, seconds))
}

/** The talk time of the whole blocks that cover the seconds. */
export function longestFor({ minutePrice, firstBlock, step }: Rate, seconds: number): number {
  return minutePrice === 0 ? seconds : Math.max(step * Math.ceil(seconds / step), firstBlock)
}

/** The longest talk that the amount pays for, up to `maxSeconds`; 0 if it does not pay for the first block. */
export function secondsFor(rate: Rate, amount: Centavos, maxSeconds: number): number {
  const { minutePrice, firstBlock, step } = rate
  if (minutePrice === 0) return maxSeconds
  const payable = secondsPaidBy(amount, minutePrice)
  return payable < firstBlock ? 0 : Math.min(longestFor(rate, maxSeconds), payable - (payable % step))
}

/** How the price of a call came about, kept with the call. */
export type Pricing = {
  prefix: string
  name: string
  seconds: number
  billedSeconds: number
  /** Of the first block and of the steps after it. */
  blocks: { first: number; step: number; steps: number; grace: number }
  /** The part of the price that the account could not pay. */
  forgiven?: Centavos
}

export function explain(rate: Rate, seconds: number, forgiven: Centavos): Pricing {
  const billed = billedSeconds(rate, seconds)
  const { prefix, name, firstBlock: first, step, grace } = rate
  return {
    prefix,
    name,
    seconds,
    billedSeconds: billed,
    blocks: { first, step, steps: billed === 0 ? 0 : (billed - first) / step, grace },
    ...(forgiven > 0 && { forgiven }),
  }
}
