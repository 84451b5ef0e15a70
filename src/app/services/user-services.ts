/** The services of users: logins, tokens, passwords, second factors and mailed links. */
import type { Config } from '../../config.ts'
import { operatorPath } from '../../http/console/console-routes.ts'
import { basePath } from '../../http/entry.ts'
import type { Clock } from '../../kit/clock.ts'
import type { Vault } from '../../kit/vault.ts'
import type { Outbox } from '../../mail/outbox.ts'
import type { Database } from '../../store/database.ts'
import type { Notices } from '../../store/notices/notices.ts'
import type { Searches } from '../../store/searches.ts'
import { createAuditRetention } from '../../users/audit/audit-retention.ts'
import { createEmailRelease } from '../../users/email-release.ts'
import { createConfirmations } from '../../users/links/confirmations.ts'
import { createKeptEmail } from '../../users/links/kept-email.ts'
import { createLinkRequests } from '../../users/links/link-requests.ts'
import { createLinks } from '../../users/links/links.ts'
import { createAttempts } from '../../users/login/attempts.ts'
import { createKnownBrowsers } from '../../users/login/known-browsers.ts'
import { createLogin } from '../../users/login/login.ts'
import { createLoginGuard } from '../../users/login/login-guard.ts'
import { createLookIns } from '../../users/login/look-ins.ts'
import { createReauthentication } from '../../users/login/reauthentication.ts'
import { createOperatorCodes } from '../../users/operators/operator-codes.ts'
import { createOperatorSessions } from '../../users/operators/operator-sessions.ts'
import { createOperatorSetUp } from '../../users/operators/operator-set-up.ts'
import { createOperators } from '../../users/operators/operators.ts'
import { createPasswordChanges } from '../../users/passwords/password-changes.ts'
import { createPasswords } from '../../users/passwords/passwords.ts'
import type { EndPhones } from '../../users/removed-user.ts'
import { createCodeCheck } from '../../users/second-factor/code-check.ts'
import { createFactorSecrets } from '../../users/second-factor/factor-secrets.ts'
import { createSecondFactors } from '../../users/second-factor/second-factors.ts'
import { createCallers } from '../../users/tokens/callers.ts'
import { createTokens } from '../../users/tokens/tokens.ts'
import { createUsers } from '../../users/users.ts'
import type { Addresses } from '../process/addresses.ts'

type Base = {
  db: Database
  clock: Clock
  vault: Vault
  searches: Searches
  notices: Notices
  addresses: Addresses
  onError: (error: unknown) => void
}

/** Done for users by modules above this one. */
type FromElsewhere = { endPhones: EndPhones; isProven: (accountId: number) => Promise<boolean> }

export function createUserServices(
  config: Config,
  base: Base,
  outbox: Outbox,
  { endPhones, isProven }: FromElsewhere,
  passwords = createPasswords(),
) {
  const { db, clock, vault, searches, notices, addresses, onError } = base
  const callers = createCallers({ db, clock, notices })
  const attempts = createAttempts({ db, clock })
  const pages = {
    confirm: () => `${addresses.publicUrl()}${basePath}/accounts/confirm`,
    setPassword: () => `${addresses.publicUrl()}${basePath}/users/set-password`,
  }
  const links = createLinks({ db, clock, outbox, callers, pages })
  const keptEmail = createKeptEmail({ clock, passwords, links })
  const confirmations = createConfirmations({ db, clock, outbox, callers, links, keptEmail, endPhones })
  const linkRequests = createLinkRequests({ db, clock, outbox, links, attempts })
  const emailRelease = createEmailRelease({ db, clock, outbox, links })
  const factorSecrets = createFactorSecrets({ vault })
  const codeCheck = createCodeCheck({ clock, secrets: factorSecrets, outbox, attempts })
  const reauthentication = createReauthentication({ db, clock, passwords, attempts, codeCheck })
  const tokens = createTokens({ db, clock, callers, reauthentication })
  const secondFactors = createSecondFactors({ db, clock, outbox, codeCheck, reauthentication })
  const passwordChanges = createPasswordChanges({
    db,
    clock,
    passwords,
    callers,
    links,
    reauthentication,
    outbox,
  })
  const browsers = createKnownBrowsers({ vault })
  const guard = createLoginGuard({ db, clock, attempts, browsers })
  const login = createLogin({
    db,
    clock,
    passwords,
    tokens,
    callers,
    confirmations,
    guard,
    browsers,
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
    attempts,
    endPhones,
    isProven,
  })
  const codes = createOperatorCodes({ clock, secrets: factorSecrets, attempts })
  return {
    operators: createOperators({
      db,
      clock,
      setUpPage: () => `${addresses.publicUrl()}${operatorPath}/set-up`,
    }),
    operatorSetUp: createOperatorSetUp({ db, clock, passwords, attempts, secrets: factorSecrets, codes }),
    operatorSessions: createOperatorSessions({
      db,
      clock,
      passwords,
      attempts,
      guard,
      browsers,
      codes,
      onError,
    }),
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
    lookIns: createLookIns({ db, tokens, outbox }),
    users,
  }
}
