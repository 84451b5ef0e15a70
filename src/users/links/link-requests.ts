/**
 * Links that somebody asks for by an e-mail address alone: a forgotten password, another confirmation mail. The request
 * is only noted; a job looks for the user and sends the mail. So the answer, and the time it takes, are the same whether
 * the address is known or not (D147).
 */

import type { RequestedPurpose } from '../../contract/accounts/users.ts'
import { problem, refuseFields } from '../../contract/errors.ts'
import type { Clock } from '../../kit/clock.ts'
import { readEmail } from '../../kit/text/email.ts'
import type { Outbox } from '../../mail/outbox.ts'
import type { Database } from '../../store/database.ts'
import type { Attempts } from '../login/attempts.ts'
import { findUserByEmailLocked } from '../users-store.ts'
import type { Links } from './links.ts'
import { insertLinkRequest, takeLinkRequest } from './links-store.ts'

const batchSize = 50

type Deps = { db: Database; clock: Clock; outbox: Outbox; links: Links; attempts: Attempts }

export function createLinkRequests({ db, clock, outbox, links, attempts }: Deps) {
  let wake = () => {}

  async function request(purpose: RequestedPurpose, address: string) {
    const email = readEmail(address)
    if (email === undefined) throw refuseFields('User', { email: [problem.noEmail] })
    await attempts.count('mail', `${purpose} ${email}`)
    await insertLinkRequest(db, purpose, email, clock.now())
    wake()
  }

  /** Sends what was asked for, one request a transaction. */
  async function tick(): Promise<number> {
    let sent = 0
    while (sent < batchSize && (await db.transaction().execute(sendNext))) sent += 1
    if (sent > 0) outbox.wake()
    return sent
  }

  async function sendNext(tx: Database): Promise<boolean> {
    const request = await takeLinkRequest(tx)
    if (!request) return false
    const found = await findUserByEmailLocked(tx, request.email)
    if (!found) return true
    const { user, active } = found
    // Before the account is active a new password would not help: its user has to confirm the address first.
    if (request.purpose === 'reset-password' && active) await links.send(tx, 'reset-password', user.id)
    else if (!user.emailVerified && !user.invited) await links.send(tx, 'confirm-email', user.id)
    return true
  }

  return {
    request,
    tick,
    onWake(callback: () => void) {
      wake = callback
    },
  }
}
export type LinkRequests = ReturnType<typeof createLinkRequests>
