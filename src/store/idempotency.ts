/**
 * Requests with an Idempotency-Key (D18). The answer is saved in the same transaction as the work, so a request that
 * died half way has either done nothing or can be answered again.
 *
 *   absent ──▶ running ──▶ answered (IDEMPOTENCY_HOURS)
 *                 ├── lease expired without an answer: nothing was done, the next request takes over
 *                 ├── the same, with the id of what was begun: the next request goes on with it (D560)
 *                 └──▶ provisional ──▶ answered
 *                         └── lease expired: the work was done, and the provisional answer is final; if it came
 *                             to nothing, the key is free (D563)
 */
import { sql, type Updateable } from 'kysely'
import { refuse } from '../contract/errors.ts'
import { type Clock, plusSeconds } from '../kit/clock.ts'
import type { Vault } from '../kit/vault.ts'
import type { Database } from './database.ts'
import { deleteInBatches } from './delete-in-batches.ts'
import { byteColumns } from './secrets/byte-columns.ts'
import type { Tables } from './tables.ts'

const leaseSeconds = 60

/** Called in the transaction that makes something, to save the answer along with it. */
export type InSameTransaction<T> = (tx: Database, made: T) => Promise<void>

/** D560: the key of a request whose work takes several transactions. */
export type ResumableKey<T> = {
  /** Id of what an earlier request with the key began, and did not answer. */
  begun: number | undefined
  /** Called in the transaction that begins the work. */
  noteBegun: (tx: Database, id: number) => Promise<void>
  saveAnswer: InSameTransaction<T>
}

export type KeyedRequest = { userId: number; route: string; key: string; fingerprint: Buffer }
/** Whether what the answer says was done has come to nothing. */
type IsVoid = (answer: object) => Promise<boolean>
type Mine = ReturnType<typeof keyOf> & { attempt: number }
export type SavedAnswer = { status: number; body: object }

const sealPurpose = byteColumns.idempotency_keys.answer.purpose
/** A provisional answer is always a success. */
const provisionalStatus = 200

type Deps = {
  db: Database
  clock: Clock
  vault: Vault
  /** How long answers are kept. */
  hours: number
}

export function createIdempotency({ db, clock, vault, hours }: Deps) {
  const retentionSeconds = hours * 3600

  /** Returns the saved answer, or a claim: only its holder may save the answer. `isVoid` is asked for a provisional one. */
  async function begin(
    request: KeyedRequest,
    isVoid?: IsVoid,
  ): Promise<{ saved: SavedAnswer } | { claim: Claim }> {
    const now = clock.now()
    const keptSince = plusSeconds(now, -retentionSeconds)
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
            begun_id: sql`case when idempotency_keys.created_at > ${keptSince} then idempotency_keys.begun_id end`,
          })
          .where((free) =>
            free.or([
              free('idempotency_keys.created_at', '<=', keptSince),
              free.and([
                free('idempotency_keys.status', 'is', null),
                free('idempotency_keys.answer', 'is', null),
                free('idempotency_keys.lease_until', '<=', now),
                free('idempotency_keys.fingerprint', '=', request.fingerprint),
              ]),
            ]),
          ),
      )
      .returning(['attempt', 'begun_id'])
      .executeTakeFirst()
    if (row) return { claim: createClaim(request, row.attempt, row.begun_id ?? undefined) }
    const { attempt, isFinal, answer } = await readSaved(request)
    if (isFinal || !(await isVoid?.(answer.body))) return { saved: answer }
    await removeUnfinished({ ...keyOf(request), attempt })
    return await begin(request, isVoid)
  }

  async function readSaved(request: KeyedRequest) {
    const row = await rowOf(request).executeTakeFirst()
    if (row && !row.fingerprint.equals(request.fingerprint)) throw refuse('IDEMPOTENCY_KEY_REUSED')
    const isAnswered = row && (row.status !== null || row.lease_until <= clock.now())
    if (!isAnswered || row.answer === null) throw refuse('IDEMPOTENCY_KEY_IN_USE')
    const answer = {
      status: row.status ?? provisionalStatus,
      body: JSON.parse(vault.open(sealPurpose, row.answer)),
    }
    return { attempt: row.attempt, isFinal: row.status !== null, answer }
  }

  /** Unless it was answered, or another request has it. */
  async function removeUnfinished(mine: Mine) {
    await db
      .deleteFrom('idempotency_keys')
      .where((row) => row.and(mine))
      .where('status', 'is', null)
      .execute()
  }

  function rowOf(request: KeyedRequest) {
    return db
      .selectFrom('idempotency_keys')
      .select(['attempt', 'fingerprint', 'status', 'answer', 'lease_until'])
      .where((row) => row.and(keyOf(request)))
  }

  function createClaim(request: KeyedRequest, attempt: number, begun: number | undefined) {
    const mine = { ...keyOf(request), attempt }
    let hasBegun = begun !== undefined

    async function saveAnswer(tx: Database, { status, body }: SavedAnswer) {
      await write(tx, status, body)
    }

    /**
     * D117: the work is done, but the final answer is known only a moment later. Other requests with the key are
     * refused until then; if the holder dies first, they get this answer.
     */
    async function saveProvisional(tx: Database, body: object) {
      await write(tx, null, body)
    }

    async function write(tx: Database, status: number | null, body: object) {
      await change(tx, { status, answer: vault.seal(sealPurpose, JSON.stringify(body)) })
    }

    async function noteBegun(tx: Database, id: number) {
      hasBegun = true
      await change(tx, { begun_id: id })
    }

    /** Fails, and with it the caller's transaction, if another request has taken over the claim. */
    async function change(tx: Database, values: Updateable<Tables['idempotency_keys']>) {
      if (!(await update(tx, values))) throw refuse('IDEMPOTENCY_KEY_IN_USE')
    }

    /** False if it has. */
    async function update(tx: Database, values: Updateable<Tables['idempotency_keys']>): Promise<boolean> {
      const { numUpdatedRows } = await tx
        .updateTable('idempotency_keys')
        .set(values)
        .where((row) => row.and(mine))
        .where('status', 'is', null)
        .executeTakeFirst()
      return numUpdatedRows === 1n
    }

    /** The key may be used again: for anything if nothing was begun, otherwise by the same request, to go on. */
    async function release() {
      if (hasBegun) await update(db, { lease_until: clock.now() })
      else await removeUnfinished(mine)
    }

    return {
      begun,
      noteBegun,
      saveAnswer,
      saveProvisional,
      release,
      saveNow: (answer: SavedAnswer) => saveAnswer(db, answer),
    }
  }
  type Claim = ReturnType<typeof createClaim>

  async function sweep() {
    const before = plusSeconds(clock.now(), -retentionSeconds)
    await deleteInBatches(db, { table: 'idempotency_keys', column: 'created_at', before })
  }

  return { begin, sweep }
}
export type Idempotency = ReturnType<typeof createIdempotency>

const keyOf = ({ userId, route, key }: KeyedRequest) => ({ user_id: userId, route, key })
