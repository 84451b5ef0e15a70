/** A rate: the price of a minute and the blocks it is billed in (D40), which give the price of a call. */
import { type Centavos, type MinutePrice, priceOfSeconds, secondsPaidBy } from '../../kit/text/money.ts'

export type Rate = {
  /** Digits that the destination begins with. */
  prefix: string
  name: string
  minutePrice: MinutePrice
  /** In seconds: the minimum billed, then the increment. The first block is a multiple of the step. */
  firstBlock: number
  step: number
  /** In seconds: a call up to this long is free. */
  grace: number
}

/** D40: for rates that do not say otherwise. */
export const defaultBlocks = { firstBlock: 30, step: 6, grace: 3 }

/** D40: talk is billed in whole blocks. */
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

/** How the price of a call was computed; stored with the call. */
export type Pricing = {
  prefix: string
  name: string
  seconds: number
  billedSeconds: number
  /** The first block and the steps after it. */
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
