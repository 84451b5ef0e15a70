/** Calls that are placed at the same moment share one statement. Nothing of what is stored may show it. */
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Books, openBooks } from '../../billing/testing/books.ts'
import type { CallAnnouncer } from '../announcer.ts'
import type { NewCall } from '../calls-store.ts'
import { type Admission, createCallAdmission } from './admission.ts'
import type { StoredCommand } from './stored-command.ts'

let books: Books
beforeAll(async () => {
  books = await openBooks()
})
afterAll(() => books.close())

const kinds = ['paid', 'internal', 'over at once'] as const
const numbers = ['5548999998888', '5548988887777', '88165000000']

type Attempt = {
  account: number
  extension: number
  number: number
  kind: (typeof kinds)[number]
}
type World = {
  isElsewhere: boolean
  balances: number[]
  ceilings: { calls: number; spending: number }
  hasWebhook: boolean[]
}

const attempt: fc.Arbitrary<Attempt> = fc.record({
  account: fc.nat({ max: 1 }),
  extension: fc.integer({ min: 1, max: 2 }),
  number: fc.constantFrom(0, 0, 0, 1, 1, 2),
  kind: fc.constantFrom('paid', 'paid', 'paid', ...kinds),
})
const two = <T>(one: fc.Arbitrary<T>) => fc.array(one, { minLength: 2, maxLength: 2 })
const world: fc.Arbitrary<World> = fc.record({
  // One value for the whole batch: calls for another node wait in a separate batch.
  isElsewhere: fc.boolean(),
  balances: two(fc.constantFrom(0, 6, 12, 18, 24, 1000)),
  ceilings: fc.record({ calls: fc.constantFrom(1, 3, 1000), spending: fc.constantFrom(12, 30, 100_000) }),
  hasWebhook: two(fc.boolean()),
})

test('calls placed at once are stored, paid, announced and refused as if they were placed one after the other', async () => {
  await fc.assert(
    fc.asyncProperty(world, fc.array(attempt, { minLength: 1, maxLength: 8 }), async (given, attempts) => {
      const together = await openWorld(given)
      const apart = await openWorld(given)
      const atOnce = await Promise.all(together.callsFor(attempts).map((call) => together.admit(call)))
      const oneByOne: Admission[] = []
      for (const call of apart.callsFor(attempts)) oneByOne.push(await apart.admit(call, async () => {}))
      // A call behind a repeated one may begin with a shorter reservation, which is extended while it lasts.
      const isExact = oneByOne.every(({ refused }) => refused !== 'duplicate')
      // Of equal calls that are placed at once, any may be the one that rings.
      const firstEqual = (index: number) => attempts.findIndex((one) => isEqual(one, attempts[index]))
      const outcomes = (admissions: Admission[]) =>
        admissions.map((one, index) => [firstEqual(index), outcomeOf(one, isExact)]).sort(byText)
      expect(outcomes(atOnce)).toEqual(outcomes(oneByOne))
      expect(await together.stored(isExact)).toEqual(await apart.stored(isExact))
    }),
    { numRuns: 40 },
  )
})

/** Accounts of their own, with the calls that are stored for them. */
async function openWorld({ isElsewhere, balances, ceilings, hasWebhook }: World) {
  const accounts = await Promise.all(balances.map((balance) => books.addAccount(balance)))
  for (const [index, { accountId }] of accounts.entries()) if (hasWebhook[index]) await addWebhook(accountId)
  const announced: string[] = []
  const indexOf = new Map<string, number>()
  const announcer: Pick<CallAnnouncer, 'announceNew' | 'publish' | 'changed'> = {
    announceNew: async (_tx, calls) => {
      announced.push(...calls.map(({ id }) => id))
      return []
    },
    publish: () => {},
    changed: () => {},
  }
  const { admit } = createCallAdmission({
    db: books.db,
    credit: books.credit,
    announcer: announcer as CallAnnouncer,
    guard: {
      check: () => ceilings,
      reached: (_account, limits = ceilings, { reached, endsAt }) => ({
        rule: reached === 'calls' ? 'calls-per-day' : 'spending-per-day',
        limit: limits[reached],
        endsAt,
      }),
    },
  })

  return {
    admit,
    callsFor: (attempts: Attempt[]) =>
      attempts.map((one) => {
        const { accountId = 0, domain = '' } = accounts[one.account] ?? {}
        const call = callOf(one, isElsewhere, accountId, domain)
        indexOf.set(
          call.id,
          attempts.findIndex((other) => isEqual(other, one)),
        )
        return call
      }),
    /** Calls by the place of the first equal attempt, since their ids differ. */
    async stored(isExact: boolean) {
      const ids = accounts.map(({ accountId }) => accountId)
      const calls = await books.db.selectFrom('calls').selectAll().where('account_id', 'in', ids).execute()
      const held = await books.db
        .selectFrom('reservations')
        .selectAll()
        .where('account_id', 'in', ids)
        .execute()
      const waiting = await books.db.selectFrom('unclaimed_calls').selectAll().execute()
      const balancesNow = await books.db
        .selectFrom('balances')
        .selectAll()
        .where('account_id', 'in', ids)
        .execute()
      const place = (id: string) => indexOf.get(id) ?? -1
      return {
        calls: calls.map(({ id, status, hangup_cause }) => [place(id), status, hangup_cause]).sort(byText),
        reservations: held
          .map(({ call_id, amount, seconds }) => [place(call_id), ...(isExact ? [amount, seconds] : [])])
          .sort(byText),
        handedOver: waiting
          .map(({ call_id }) => [place(call_id)])
          .filter(([at]) => at !== -1)
          .sort(byText),
        announced: announced.map((id) => [place(id)]).sort(byText),
        balances: ids.map((id) => {
          const found = balancesNow.find(({ account_id }) => account_id === id)
          const reserved = held.filter(({ account_id }) => account_id === id).map(({ amount }) => amount)
          expect(found?.reserved ?? 0).toBe(reserved.reduce((total, amount) => total + amount, 0))
          return [found?.balance ?? 0, found?.day_calls ?? 0, found?.day_spent ?? 0]
        }),
      }
    },
  }
}

const isEqual = (one: Attempt, other: Attempt | undefined) => JSON.stringify(one) === JSON.stringify(other)

const byText = (one: unknown, other: unknown) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1)

function callOf(
  { extension, number, kind }: Attempt,
  isElsewhere: boolean,
  accountId: number,
  domain: string,
): NewCall {
  const id = books.newCall()
  // If only one of two equal calls may ring beside the other, either may be stored first.
  const allowsDuplicate = number === 1
  const call: NewCall = {
    id,
    profile: {
      id: extension,
      number: `100${extension}`,
      firstName: 'Ana',
      lastName: 'Souza',
      email: 'ana@padaria.example',
      callerNumber: null,
      isCallerNumberVerified: false,
      recordCalls: false,
      isSuspended: false,
      isUndisturbed: false,
      ownerId: null,
      ownerUuid: null,
      accountId,
      domain,
      timeZone: 'America/Sao_Paulo',
    },
    user: undefined,
    type: kind === 'internal' ? 'internal' : 'outbound',
    status: 'queued',
    from: `100${extension}`,
    to: kind === 'internal' ? `200${number}` : (numbers[number] ?? ''),
    metadata: '{}',
    startedAt: books.clock.now(),
    node: isElsewhere ? 'another' : 'this one',
  }
  if (kind === 'over at once') return { ...call, status: 'busy', end: { cause: 'USER_BUSY' } }
  if (!isElsewhere) return { ...call, allowsDuplicate }
  const command = { accountId, extensionId: extension, request: { callId: id } } as StoredCommand
  return { ...call, allowsDuplicate, handOver: { origin: 'this one', command } }
}

async function addWebhook(accountId: number) {
  const at = books.clock.now()
  const uuid = crypto.randomUUID()
  const { id } = await books.db
    .insertInto('users')
    .values({
      uuid,
      account_id: accountId,
      name: 'Ana',
      email: `${uuid}@padaria.example`,
      phone: '1',
      role: 'ADMIN',
      email_verified: true,
      created_at: at,
      updated_at: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await books.db
    .insertInto('integrations')
    .values({
      account_id: accountId,
      user_id: id,
      code: 'crm',
      webhook: true,
      metadata: '{}',
      url: 'http://127.0.0.1/hook',
      conditions: '[]',
      version: '1.8',
      event_types: ['channel-create'],
      secret: Buffer.from('secret'),
      created_at: at,
      updated_at: at,
    })
    .execute()
}

function outcomeOf(admission: Admission, isExact: boolean) {
  if (admission.refused === 'limit') return admission.limit.rule
  if (admission.refused !== undefined) return admission.refused
  return isExact ? { talkSeconds: admission.grant?.talkSeconds } : 'admitted'
}
