/** A rate: what a minute costs, in which blocks it is billed (D40), and so what a call costs. */
import { divideHalfUp } from '../../kit/money.ts'

export type Rate = {
  /** What the number begins with. */
  prefix: string
  name: string
  /** In ten-thousandths of a real. */
  minutePrice: number
  /** In seconds: what is billed at least, and then in which steps; the first block is made of whole steps. */
  firstBlock: number
  step: number
  /** A call no longer than this costs nothing. */
  grace: number
}

/** D40: unless a rate says otherwise. */
export const usualBlocks = { firstBlock: 30, step: 6, grace: 3 }

/** Ten-thousandths of a real a minute, times seconds, in one centavo. */
const partsInCentavo = 60 * 100

/** D40 */
export function billedSeconds({ firstBlock, step, grace }: Rate, seconds: number): number {
  if (seconds <= grace) return 0
  return Math.max(firstBlock, step * Math.ceil(seconds / step))
}

/** Centavos for so many seconds of talk, half up. */
export function priceOf(rate: Rate, seconds: number): number {
  return divideHalfUp(rate.minutePrice * billedSeconds(rate, seconds), partsInCentavo)
}

/** Whole blocks for so many seconds of talk, if money is no question. */
export function longestFor({ minutePrice, firstBlock, step }: Rate, seconds: number): number {
  return minutePrice === 0 ? seconds : Math.max(step * Math.ceil(seconds / step), firstBlock)
}

/** The longest talk that so many centavos pay for, up to `maxSeconds`; 0 if not even the first block. */
export function secondsFor(rate: Rate, centavos: number, maxSeconds: number): number {
  const { minutePrice, firstBlock, step } = rate
  if (minutePrice === 0) return maxSeconds
  // The largest number of seconds whose price, rounded half up, is not above the centavos.
  const below = partsInCentavo * (centavos + 1) - partsInCentavo / 2
  const payable = Math.floor((below - 1) / minutePrice)
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
  /** Centavos that nobody had for it any more. */
  forgiven?: number
}

export function explain(rate: Rate, seconds: number, forgiven: number): Pricing {
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
