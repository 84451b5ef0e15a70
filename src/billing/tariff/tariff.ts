/** The tariff: all rates in memory, reloaded when they change. */
import type { Clock } from '../../kit/clock.ts'
import type { Database } from '../../store/database.ts'
import type { Notices } from '../../store/notices/notices.ts'
import { type Decks, findRate, toDecks } from './decks.ts'
import type { Rate } from './rate.ts'
import { ratesChannel, readRates } from './rates-store.ts'

type Deps = {
  db: Database
  clock: Clock
  notices: Pick<Notices, 'listen' | 'onGap' | 'connected'>
  onError: (error: unknown) => void
}

export function createTariff({ db, clock, notices, onError }: Deps) {
  let decks: Decks = new Map()
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

  function rateOf(accountId: number, number: string): Rate | undefined {
    return findRate(decks, accountId, number, clock.now().getTime())
  }

  return { load, tick, rateOf }
}
export type Tariff = ReturnType<typeof createTariff>
