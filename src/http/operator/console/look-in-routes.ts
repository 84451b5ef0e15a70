/** The operator looks at an account as one of its users sees it (D647). */
import type { AccountDirectory } from '../../../accounts/account-directory.ts'
import { refuse } from '../../../contract/errors.ts'
import { OperatorLookIn, OperatorLookInBegun } from '../../../contract/operator-account.ts'
import { plusSeconds } from '../../../kit/clock.ts'
import type { LookIns } from '../../../users/login/look-ins.ts'
import { maxUserAgentLength } from '../../routes/users/console-session.ts'
import type { SessionCookie } from '../../server/session-cookie.ts'
import { refuseNoAccount } from './no-account.ts'
import { type AnyOperatorEntry, operatorEntry } from './operator-entry.ts'

export type LookInDeps = {
  accountDirectory: AccountDirectory
  lookIns: LookIns
  /** The cookie of console sessions. */
  cookie: SessionCookie
}

export function lookInEntries({ accountDirectory, lookIns, cookie }: LookInDeps): AnyOperatorEntry[] {
  return [
    operatorEntry({
      method: 'POST',
      path: '/accounts/:domain/look-in',
      about: 'Look at an account as one of its users sees it, to read only',
      notes:
        'The answer sets the cookie of a console session, which ends after 30 minutes and is refused with `READ_ONLY_SESSION` wherever it would change something; passwords of extensions and secrets of webhooks are not shown. The account sees it in its audit log and among the sessions of the user, who can end it, and its ADMINs get a mail with the reason. It also works on a suspended account.',
      params: { domain: 'clinica.ramal.localhost' },
      body: OperatorLookIn,
      reply: OperatorLookInBegun,
      errors: ['ROUTE_NOT_FOUND', 'USER_NOT_FOUND'],
      async run({ params: { domain = '' }, body: { user, reason }, address, headers, setHeader }) {
        const account = await accountDirectory.find(domain)
        if (!account) throw refuseNoAccount(domain)
        const userAgent = headers['user-agent']?.slice(0, maxUserAgentLength).toString()
        const begun = await lookIns.begin({
          accountId: account.id,
          domain,
          user,
          reason: reason.trim(),
          session: { userAgent, address },
        })
        if (!begun) throw refuse('USER_NOT_FOUND')
        setHeader('Set-Cookie', cookie.write(begun.token, begun.seconds))
        return { domain, user: begun.email, until: plusSeconds(begun.begun, begun.seconds).toISOString() }
      },
    }),
  ]
}
