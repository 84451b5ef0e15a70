/**
 * The queue of mail. A mail is stored in the transaction that causes it and sent by a loop, so neither a crash nor a
 * mail server that is down for a day loses one.
 */
import { sql } from 'kysely'
import { type Clock, plusSeconds } from '../kit/clock.ts'
import type { Log } from '../kit/log.ts'
import type { Vault } from '../kit/vault.ts'
import type { Database } from '../store/database.ts'
import type { Mail, MailTransport } from './port.ts'

/** Seconds until the next try after each failure; then the mail is given up. */
const retryAfter = [10, 60, 300, 1_800, 7_200, 21_600, 43_200, 86_400]
/** A claimed mail is free for others again after this, in case its taker died. */
const leaseSeconds = 120
const keptDays = 30
const sealPurpose = 'mail body'

type Deps = { db: Database; transport: MailTransport; vault: Vault; clock: Clock; log: Log }

export function createOutbox({ db, transport, vault, clock, log }: Deps) {
  let wake = () => {}

  /** Joins the caller's transaction; sent by a later tick. */
  async function post(tx: Database, { recipient, subject, text }: Mail) {
    const now = clock.now()
    const body = vault.seal(sealPurpose, text)
    await tx
      .insertInto('mails')
      .values({ recipient, subject, body, created_at: now, attempts: 0, next_at: now })
      .execute()
  }

  /** Sends what is due. Returns how many were tried. */
  async function tick(): Promise<number> {
    const due = await claim()
    for (const mail of due) await send(mail)
    return due.length
  }

  async function claim() {
    const now = clock.now()
    return await db
      .updateTable('mails')
      .set({ next_at: plusSeconds(now, leaseSeconds), attempts: sql`attempts + 1` })
      .where('id', 'in', (mails) =>
        mails
          .selectFrom('mails')
          .select('id')
          .where('next_at', '<=', now)
          .orderBy('next_at')
          .limit(20)
          .forUpdate()
          .skipLocked(),
      )
      .returning(['id', 'recipient', 'subject', 'body', 'attempts'])
      .execute()
  }

  async function send(mail: Awaited<ReturnType<typeof claim>>[number]) {
    const row = db.updateTable('mails').where('id', '=', mail.id)
    try {
      if (mail.body === null) throw new Error('the body is gone')
      await transport.send({ ...mail, text: vault.open(sealPurpose, mail.body) })
    } catch (error) {
      const wait = retryAfter[mail.attempts - 1]
      const lastError = error instanceof Error ? error.message : String(error)
      const nextAt = wait === undefined ? null : plusSeconds(clock.now(), wait)
      log.warn({ mail: mail.id, attempts: mail.attempts, lastError, nextAt }, 'mail not sent')
      await row.set({ next_at: nextAt, last_error: lastError }).execute()
      return
    }
    const sent = { next_at: null, sent_at: clock.now(), last_error: null }
    await row.set(transport.keepsMail ? sent : { ...sent, body: null }).execute()
  }

  /** Newest first, for the development mailbox. */
  async function read(most: number) {
    const rows = await db
      .selectFrom('mails')
      .select(['id', 'recipient', 'subject', 'body', 'created_at'])
      .where('body', 'is not', null)
      .orderBy('id', 'desc')
      .limit(most)
      .execute()
    return rows.map(({ body, created_at, ...mail }) => ({
      ...mail,
      createdAt: created_at,
      text: body === null ? '' : vault.open(sealPurpose, body),
    }))
  }

  async function sweep() {
    await db
      .deleteFrom('mails')
      .where('created_at', '<', plusSeconds(clock.now(), -keptDays * 86_400))
      .execute()
  }

  return {
    post,
    tick,
    read,
    sweep,
    /** Called after a commit, so that new mail does not wait for the loop's next turn. */
    wake: () => wake(),
    onWake(callback: () => void) {
      wake = callback
    },
  }
}
export type Outbox = ReturnType<typeof createOutbox>
