/** The tariff: all rates in memory, reloaded when they change. */
import type { Clock } from '../../kit/clock.ts'
import type { Database } from '../../store/database.ts'
import type { Notices } from '../../store/notices/notices.ts'
import type { Rate } from './rate.ts'
import type { StoredRate } from './rate-changes.ts'
import { createRateTable, type DatedRate, type RateTable } from './rate-table.ts'
import { ratesChannel, readRates } from './rates-store.ts'

type Deps = {
  db: Database
  clock: Clock
  notices: Pick<Notices, 'listen' | 'onGap' | 'connected'>
  onError: (error: unknown) => void
}

export function createTariff({ db, clock, notices, onError }: Deps) {
  /** By account; null is the default deck. */
  let decks = new Map<number | null, RateTable>()
  let loading: Promise<void> | undefined
  /** The rates may have changed since they were read. */
  let stale = true

  notices.listen(ratesChannel, () => {
    stale = true
    load().catch(onError)
  })
  notices.onGap(() => {
    stale = true
  })

  /** Concurrent calls share one load. */
  async function load(): Promise<void> {
    loading ??= read().finally(() => {
      loading = undefined
    })
    await loading
  }

  async function read() {
    while (stale) {
      stale = false
      try {
        decks = toDecks(await readRates(db, clock.now()))
      } catch (error) {
        stale = true
        throw error
      }
    }
  }

  /** Without a connection notifications are lost, so the rates are read again until it is back. */
  async function tick() {
    if (!notices.connected()) stale = true
    if (stale) await load()
  }

  /** The account's own deck first, whatever the length of the prefix; then the default deck. */
  function rateOf(accountId: number, number: string): Rate | undefined {
    const at = clock.now().getTime()
    return decks.get(accountId)?.find(number, at) ?? decks.get(null)?.find(number, at)
  }

  return { load, tick, rateOf }
}
export type Tariff = ReturnType<typeof createTariff>

function toDecks(stored: StoredRate[]): Map<number | null, RateTable> {
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
