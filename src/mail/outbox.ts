/**
 * The queue of mail. A mail is stored in the transaction that causes it and sent by a loop, so neither a crash nor a
 * mail server that is down for a day loses one.
 */
import { type Clock, plusSeconds } from '../kit/clock.ts'
import type { Log } from '../kit/process/log.ts'
import type { Vault } from '../kit/vault.ts'
import type { Database } from '../store/database.ts'
import { byteColumns } from '../store/secrets/byte-columns.ts'
import {
  type ClaimedMail,
  claimMails,
  deleteOldMails,
  insertMail,
  readMailFailures,
  readMailQueue,
  readMails,
  updateMail,
} from './mails-store.ts'
import type { Mail, MailTransport } from './port.ts'

/** Seconds until the next attempt after each failed one; after the last the mail is given up. */
const retrySeconds = [10, 60, 300, 1_800, 7_200, 21_600, 43_200, 86_400]
/** If the process that claimed a mail dies, another may claim it after this. */
const leaseSeconds = 120
const batchSize = 20
const retentionDays = 30
const sealPurpose = byteColumns.mails.body.purpose

type Deps = { db: Database; transport: MailTransport; vault: Vault; clock: Clock; log: Log }

export function createOutbox({ db, transport, vault, clock, log }: Deps) {
  let wake = () => {}

  /** Joins the caller's transaction; a later tick sends the mail. */
  async function post(tx: Database, { recipient, subject, text }: Mail) {
    const now = clock.now()
    const body = vault.seal(sealPurpose, text)
    await insertMail(tx, { recipient, subject, body, created_at: now, attempts: 0, next_at: now })
  }

  /** Sends the mails that are due and returns their number. */
  async function tick(): Promise<number> {
    const now = clock.now()
    const due = await claimMails(db, now, plusSeconds(now, leaseSeconds), batchSize)
    for (const mail of due) await send(mail)
    return due.length
  }

  async function send(mail: ClaimedMail) {
    try {
      if (mail.body === null) throw new Error('the body is gone')
      await transport.send({ ...mail, text: vault.open(sealPurpose, mail.body) })
    } catch (error) {
      const wait = retrySeconds[mail.attempts - 1]
      const lastError = error instanceof Error ? error.message : String(error)
      const nextAt = wait === undefined ? null : plusSeconds(clock.now(), wait)
      log.warn({ mail: mail.id, attempts: mail.attempts, lastError, nextAt }, 'mail not sent')
      await updateMail(db, mail.id, { next_at: nextAt, last_error: lastError })
      return
    }
    const sent = { next_at: null, sent_at: clock.now(), last_error: null }
    await updateMail(db, mail.id, transport.keepsMail ? sent : { ...sent, body: null })
  }

  /** Newest first, for the development mailbox. */
  async function read(limit: number) {
    const rows = await readMails(db, limit)
    return rows.map(({ body, created_at, ...mail }) => ({
      ...mail,
      createdAt: created_at,
      text: body === null ? '' : vault.open(sealPurpose, body),
    }))
  }

  async function sweep() {
    await deleteOldMails(db, plusSeconds(clock.now(), -retentionDays * 86_400))
  }

  return {
    post,
    tick,
    read,
    sweep,
    queue: () => readMailQueue(db),
    failures: (since: Date, limit: number) => readMailFailures(db, since, limit),
    /** To be called after the commit, so that new mail does not wait for the next tick. */
    wake: () => wake(),
    onWake(callback: () => void) {
      wake = callback
    },
  }
}
export type Outbox = ReturnType<typeof createOutbox>
