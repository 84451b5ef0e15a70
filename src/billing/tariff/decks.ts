/** Rates by deck: each account may have one of its own, and all share the default deck. */
import type { Rate } from './rate.ts'
import { createRateTable, type DatedRate, type RateTable } from './rate-table.ts'

/** By account; null is the default deck. */
export type Decks = Map<number | null, RateTable>

export type DeckRate = Rate & { accountId: number | null; from: Date; until: Date | null }

export function toDecks(stored: readonly DeckRate[]): Decks {
  const rates = new Map<number | null, DatedRate[]>()
  for (const { accountId, from, until, prefix, name, minutePrice, firstBlock, step, grace } of stored) {
    const deck = rates.get(accountId) ?? []
    deck.push({
      prefix,
      name,
      minutePrice,
      firstBlock,
      step,
      grace,
      from: from.getTime(),
      until: until?.getTime() ?? Number.POSITIVE_INFINITY,
    })
    rates.set(accountId, deck)
  }
  return new Map([...rates].map(([accountId, deck]) => [accountId, createRateTable(deck)]))
}

/** The account's own deck first, whatever the length of the prefix; then the default deck. */
export function findRate(
  decks: Decks,
  accountId: number | null,
  number: string,
  at: number,
): Rate | undefined {
  return decks.get(accountId)?.find(number, at) ?? decks.get(null)?.find(number, at)
}
