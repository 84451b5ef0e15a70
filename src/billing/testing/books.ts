/** Billing on a database of its own, with accounts made by the test. */
import { createTestClock } from '../../../test/helpers/run/test-clock.ts'
import { createTestDatabase } from '../../../test/helpers/run/test-database.ts'
import { uuidv7 } from '../../kit/ids.ts'
import type { Maybe } from '../../kit/maybe.ts'
import { createLog } from '../../kit/process/log.ts'
import type { Centavos } from '../../kit/text/money.ts'
import { openDatabase, openPool } from '../../store/database.ts'
import { createSearches } from '../../store/searches.ts'
import type { Caller } from '../../users/caller.ts'
import { createBilling } from '../billing.ts'
import type { DailyCeilings } from '../credit/daily-use.ts'
import type { OnLowBalance } from '../ledger/ledger.ts'
import { createFakeGateway } from './fake-gateway.ts'

type Options = {
  connections?: number
  onLowBalance?: OnLowBalance
  lowBalance?: Centavos
  trialCredit?: Centavos
  ceilingsOf?: (accountId: number) => Maybe<DailyCeilings>
  onSpendingReached?: (accountId: number, ceiling: Centavos) => void
}

export async function openBooks({ connections = 10, ...options }: Options = {}) {
  const database = await createTestDatabase()
  const pool = openPool({ connectionString: database.url }, { size: connections, onError: () => {} })
  const db = openDatabase(pool)
  const clock = createTestClock()
  const gateway = createFakeGateway()
  let onRatesChanged = (_payload: string) => {}
  const notices = {
    listen: (_channel: string, listener: (payload: string) => void) => {
      onRatesChanged = listener
    },
    onGap: () => {},
    connected: () => true,
  }
  const billing = createBilling({
    db,
    callsDb: db,
    searches: createSearches(db),
    clock,
    gateway,
    notices,
    log: createLog('silent'),
    customerOf: async () => undefined,
    onError: (error) => {
      throw error
    },
    lowBalance: 500,
    trialCredit: 1000,
    ...options,
  })
  await billing.tariff.load()

  async function addAccount(credit: Centavos = 0): Promise<Caller> {
    const uuid = uuidv7(clock.now())
    const { id } = await db
      .insertInto('accounts')
      .values({
        uuid,
        domain: `${uuid}.example`,
        name: 'Padaria',
        email: 'x@y.example',
        phone: '1',
        crm: 'Outros',
        user_quantity: '1-5',
        time_zone: 'America/Sao_Paulo',
        created_at: clock.now(),
        updated_at: clock.now(),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    if (credit !== 0) await give(id, credit)
    const user = { id: 1, email: 'ana@padaria.example', name: 'Ana' } as Caller['user']
    const domain = `${uuid}.example`
    return {
      accountId: id,
      accountUuid: uuid,
      domain,
      user,
      timeZone: 'America/Sao_Paulo',
      tokenRef: '',
      tokenEnd: null,
    }
  }

  let gifts = 0
  async function give(accountId: number, amount: Centavos) {
    gifts += 1
    const entry = {
      accountId,
      kind: 'adjustment' as const,
      amount,
      reference: `gift:${gifts}`,
      description: 'gift',
    }
    await billing.ledger.post(db, { entries: [entry] })
  }

  return {
    ...billing,
    db,
    pool,
    clock,
    gateway,
    addAccount,
    give,
    newCall: () => uuidv7(clock.now()),
    /** As if the database had sent a notification. */
    ratesChanged: () => onRatesChanged(''),
    async close() {
      await pool.end()
      await database.drop()
    },
  }
}
export type Books = Awaited<ReturnType<typeof openBooks>>
