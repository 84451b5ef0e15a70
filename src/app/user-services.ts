/** The services of users: logins, tokens, passwords, second factors and mailed links. */
import type { Config } from '../config.ts'
import { basePath } from '../http/entry.ts'
import type { Clock } from '../kit/clock.ts'
import type { Vault } from '../kit/vault.ts'
import type { Outbox } from '../mail/outbox.ts'
import type { Database } from '../store/database.ts'
import type { Notices } from '../store/notices.ts'
import type { Searches } from '../store/searches.ts'
import { createAttempts } from '../users/attempts.ts'
import { createAuditRetention } from '../users/audit-retention.ts'
import { createEmailRelease } from '../users/email-release.ts'
import { createConfirmations } from '../users/links/confirmations.ts'
import { createKeptEmail } from '../users/links/kept-email.ts'
import { createLinkRequests } from '../users/links/link-requests.ts'
import { createLinks } from '../users/links/links.ts'
import { createLogin } from '../users/login.ts'
import { createPasswordChanges } from '../users/passwords/password-changes.ts'
import { createPasswords } from '../users/passwords/passwords.ts'
import { createReauthentication } from '../users/reauthentication.ts'
import { createCodeCheck } from '../users/second-factor/code-check.ts'
import { createSecondFactors } from '../users/second-factor/second-factors.ts'
import { createCallers } from '../users/tokens/callers.ts'
import { createTokens } from '../users/tokens/tokens.ts'
import { createUsers } from '../users/users.ts'
import type { Addresses } from './addresses.ts'

type Base = {
  db: Database
  clock: Clock
  vault: Vault
  searches: Searches
  notices: Notices
  addresses: Addresses
  onError: (error: unknown) => void
}

export function createUserServices(
  config: Config,
  base: Base,
  outbox: Outbox,
  passwords = createPasswords(),
) {
  const { db, clock, vault, searches, notices, addresses, onError } = base
  const callers = createCallers({ db, clock, notices })
  const tokens = createTokens({ db, clock, callers })
  const attempts = createAttempts({ db, clock })
  const pages = {
    confirm: () => `${addresses.publicUrl()}${basePath}/accounts/confirm`,
    setPassword: () => `${addresses.publicUrl()}${basePath}/users/set-password`,
  }
  const links = createLinks({ db, clock, outbox, callers, pages })
  const keptEmail = createKeptEmail({ clock, passwords, links })
  const confirmations = createConfirmations({ db, clock, outbox, callers, links, keptEmail })
  const linkRequests = createLinkRequests({ db, clock, outbox, links, attempts })
  const emailRelease = createEmailRelease({ db, clock, outbox, links })
  const codeCheck = createCodeCheck({ clock, vault, outbox, attempts })
  const reauthentication = createReauthentication({ db, clock, passwords, attempts, codeCheck })
  const secondFactors = createSecondFactors({ db, clock, outbox, codeCheck, reauthentication })
  const passwordChanges = createPasswordChanges({
    db,
    clock,
    passwords,
    callers,
    links,
    attempts,
    reauthentication,
    outbox,
  })
  const login = createLogin({
    db,
    clock,
    passwords,
    tokens,
    callers,
    confirmations,
    attempts,
    codeCheck,
    outbox,
    onError,
  })
  const users = createUsers({
    db,
    clock,
    searches,
    passwords,
    callers,
    links,
    emailRelease,
    outbox,
    reauthentication,
  })
  return {
    audit: createAuditRetention({ db, clock, days: config.auditDays }),
    callers,
    passwords,
    tokens,
    attempts,
    links,
    confirmations,
    linkRequests,
    emailRelease,
    passwordChanges,
    secondFactors,
    login,
    users,
  }
}
