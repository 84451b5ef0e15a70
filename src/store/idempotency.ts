/**
 * Requests that carry an Idempotency-Key (D18). The answer is kept in the same transaction as what it
 * tells of, so a request that died half way has either done nothing or can be answered again.
 *
 *   absent ──▶ running ──▶ answered (24 h)
 *                 ├── its lease ran out without an answer: nothing was done, the next one takes over
 *                 └──▶ promised ──▶ answered
 *                         └── its lease ran out: it was done, and the promise is the answer
 */
import { sql } from 'kysely'
import { refuse } from '../contract/errors.ts'
import { type Clock, plusSeconds } from '../kit/clock.ts'
import type { Vault } from '../kit/vault.ts'
import type { Database } from './database.ts'

const keptSeconds = 24 * 3600
const leaseSeconds = 60

/** What else must be true in the transaction that makes something, such as its answer being kept. */
export type Keep<T> = (tx: Database, made: T) => Promise<void>

export type KeyedRequest = { userId: number; route: string; key: string; fingerprint: Buffer }
export type KeptAnswer = { status: number; body: object }

const sealPurpose = 'kept answer'
/** Only success is promised. */
const promisedStatus = 200

type Deps = { db: Database; clock: Clock; vault: Vault }

export function createIdempotency({ db, clock, vault }: Deps) {
  /** The kept answer, or a claim that lets the holder, and nobody else, answer. */
  async function begin(request: KeyedRequest): Promise<{ kept: KeptAnswer } | { claim: Claim }> {
    const now = clock.now()
    const row = await db
      .insertInto('idempotency_keys')
      .values({
        user_id: request.userId,
        route: request.route,
        key: request.key,
        fingerprint: request.fingerprint,
        attempt: 1,
        lease_until: plusSeconds(now, leaseSeconds),
        created_at: now,
      })
      .onConflict((conflict) =>
        conflict
          .columns(['user_id', 'route', 'key'])
          .doUpdateSet({
            fingerprint: request.fingerprint,
            attempt: sql`idempotency_keys.attempt + 1`,
            lease_until: plusSeconds(now, leaseSeconds),
            created_at: now,
            status: null,
            answer: null,
          })
          .where((free) =>
            free.or([
              free('idempotency_keys.created_at', '<=', plusSeconds(now, -keptSeconds)),
              free.and([
                free('idempotency_keys.status', 'is', null),
                free('idempotency_keys.answer', 'is', null),
                free('idempotency_keys.lease_until', '<=', now),
                free('idempotency_keys.fingerprint', '=', request.fingerprint),
              ]),
            ]),
          ),
      )
      .returning('attempt')
      .executeTakeFirst()
    if (row) return { claim: createClaim(request, row.attempt) }
    return { kept: await readKept(request) }
  }

  async function readKept(request: KeyedRequest): Promise<KeptAnswer> {
    const row = await rowOf(request).executeTakeFirst()
    if (row && !row.fingerprint.equals(request.fingerprint)) throw refuse('IDEMPOTENCY_KEY_REUSED')
    const settled = row && (row.status !== null || row.lease_until <= clock.now())
    if (!settled || row.answer === null) throw refuse('IDEMPOTENCY_KEY_IN_USE')
    return { status: row.status ?? promisedStatus, body: JSON.parse(vault.open(sealPurpose, row.answer)) }
  }

  function rowOf({ userId, route, key }: KeyedRequest) {
    return db
      .selectFrom('idempotency_keys')
      .select(['fingerprint', 'status', 'answer', 'lease_until'])
      .where('user_id', '=', userId)
      .where('route', '=', route)
      .where('key', '=', key)
  }

  function createClaim({ userId, route, key }: KeyedRequest, attempt: number) {
    const mine = { user_id: userId, route, key, attempt }

    async function keep(tx: Database, { status, body }: KeptAnswer) {
      await write(tx, status, body)
    }

    /**
     * It is done, but what will be answered shows only in a moment (D117): others wait until then, and if the
     * holder dies meanwhile this is what they are told.
     */
    async function promise(tx: Database, body: object) {
      await write(tx, null, body)
    }

    /** Fails, and with it the caller's transaction, when the claim has passed to somebody else. */
    async function write(tx: Database, status: number | null, body: object) {
      const { numUpdatedRows } = await tx
        .updateTable('idempotency_keys')
        .set({ status, answer: vault.seal(sealPurpose, JSON.stringify(body)) })
        .where((row) => row.and(mine))
        .where('status', 'is', null)
        .executeTakeFirst()
      if (numUpdatedRows !== 1n) throw refuse('IDEMPOTENCY_KEY_IN_USE')
    }

    /** Nothing was done and nothing needs remembering: the key may be used anew. */
    async function release() {
      await db
        .deleteFrom('idempotency_keys')
        .where((row) => row.and(mine))
        .where('status', 'is', null)
        .execute()
    }

    return { keep, promise, release, keepNow: (answer: KeptAnswer) => keep(db, answer) }
  }
  type Claim = ReturnType<typeof createClaim>

  async function sweep() {
    await db
      .deleteFrom('idempotency_keys')
      .where('created_at', '<', plusSeconds(clock.now(), -keptSeconds))
      .execute()
  }

  return { begin, sweep }
}
export type Idempotency = ReturnType<typeof createIdempotency>
