/** Everything about one account, and suspending and releasing it (D616). */
import type { AccountDirectory } from '../../../accounts/account-directory.ts'
import type { Accounts } from '../../../accounts/accounts.ts'
import { chargeList } from '../../../billing/charges/charge-list.ts'
import type { Charges } from '../../../billing/charges/charges.ts'
import type { Ledger } from '../../../billing/ledger/ledger.ts'
import { statementList } from '../../../billing/ledger/statement-list.ts'
import { callList } from '../../../calls/list/call-list.ts'
import type { CallListing } from '../../../calls/list/listing.ts'
import {
  OperatorAccountPage,
  OperatorRelease,
  OperatorSuspend,
  OperatorSuspension,
} from '../../../contract/operator-account.ts'
import type { Extensions } from '../../../extensions/extensions.ts'
import type { List } from '../../../filter/list.ts'
import { readPagedList } from '../../../filter/list-query.ts'
import type { Limits } from '../../../limits/limits.ts'
import type { Suspension, Suspensions } from '../../../placing/suspensions.ts'
import { auditList } from '../../../users/audit/audit-list.ts'
import type { Tokens } from '../../../users/tokens/tokens.ts'
import type { Users } from '../../../users/users.ts'
import {
  presentAuditEntry,
  presentCall,
  presentCharge,
  presentEntry,
  presentLimits,
  presentPhone,
  presentToken,
  presentUser,
} from './account-page.ts'
import { refuseNoAccount } from './no-account.ts'
import { type AnyOperatorEntry, operatorEntry } from './operator-entry.ts'

export type AccountPageDeps = {
  accountDirectory: AccountDirectory
  suspensions: Suspensions
  ledger: Ledger
  limits: Limits
  users: Users
  tokens: Tokens
  extensions: Extensions
  callListing: CallListing
  charges: Charges
  accounts: Accounts
}

const params = { domain: 'clinica.ramal.localhost' }
const maxPeople = 200
const maxRows = 20

export function accountPageEntries(deps: AccountPageDeps): AnyOperatorEntry[] {
  const { accountDirectory, suspensions, ledger, limits, users, tokens } = deps
  const { extensions, callListing, charges, accounts } = deps
  return [
    operatorEntry({
      method: 'GET',
      path: '/accounts/:domain',
      about: 'Everything about one account: people, tokens, phones, calls, money, limits, audit log',
      params,
      reply: OperatorAccountPage,
      errors: ['ROUTE_NOT_FOUND'],
      async run({ params: { domain = '' }, language }) {
        const account = await accountDirectory.find(domain)
        if (!account) throw refuseNoAccount(domain)
        const { id: accountId } = account
        const of = { accountId }
        const [balance, used, allowed] = await Promise.all([
          ledger.balance(of),
          ledger.dailyUse(of),
          limits.read(accountId),
        ])
        const [people, tokensOf, phones, live, calls] = await Promise.all([
          users.ofAccount(accountId, maxPeople),
          tokens.ofAccount(accountId, maxPeople),
          extensions.phonesOf([accountId], 'registered'),
          callListing.live(accountId, maxPeople),
          callListing.first(accountId, firstOf(callList)),
        ])
        const [charged, entries, audit] = await Promise.all([
          charges.list(of, firstOf(chargeList)),
          ledger.statement(of, firstOf(statementList)),
          accounts.audit(of, firstOf(auditList)),
        ])
        return {
          domain,
          uuid: account.uuid,
          name: account.name,
          email: account.email,
          phone: account.phone,
          timeZone: account.time_zone,
          createdAt: account.created_at.toISOString(),
          activatedAt: account.activated_at?.toISOString() ?? null,
          ...presentSuspension(account.suspension),
          ...presentLimits(balance, used, allowed),
          users: people.map(presentUser),
          tokens: tokensOf.map(presentToken),
          phones: phones.map(({ phone }) => presentPhone(phone)),
          liveCalls: live.map(presentCall),
          calls: calls.map(presentCall),
          charges: charged.rows.map(presentCharge),
          entries: entries.rows.map((row) => presentEntry(row, language)),
          audit: audit.rows.map(presentAuditEntry),
        }
      },
    }),
    operatorEntry({
      method: 'POST',
      path: '/accounts/:domain/suspend',
      about: 'Suspend an account',
      notes:
        'Its calls are hung up within a second, wherever they are; its sessions and registrations end; new calls, log-ins, requests and registrations are refused with `ACCOUNT_SUSPENDED` until it is released. Its ADMINs get a mail with the reason. Of a suspended account nothing changes.',
      params,
      body: OperatorSuspend,
      reply: OperatorSuspension,
      errors: ['ROUTE_NOT_FOUND'],
      async run({ params: { domain = '' }, body: { reason, revokeTokens = false } }) {
        const suspended = await suspensions.suspend(domain, {
          reason: reason.trim(),
          revokesTokens: revokeTokens,
        })
        return answer(domain, suspended)
      },
    }),
    operatorEntry({
      method: 'POST',
      path: '/accounts/:domain/release',
      about: 'Release a suspended account',
      notes: 'Its ADMINs get a mail. Of an account that is not suspended nothing changes.',
      params,
      body: OperatorRelease,
      reply: OperatorSuspension,
      errors: ['ROUTE_NOT_FOUND'],
      run: async ({ params: { domain = '' }, body: { reason } }) =>
        answer(domain, await suspensions.release(domain, reason.trim())),
    }),
  ]
}

/** The newest rows of a list. */
const firstOf = (list: List) =>
  readPagedList(list, { filter: JSON.stringify({ limit: maxRows }) }, { timeZone: 'UTC' })

function answer(domain: string, suspension: Suspension | null | undefined) {
  if (suspension === undefined) throw refuseNoAccount(domain)
  return { domain, ...presentSuspension(suspension) }
}

function presentSuspension(suspension: Suspension | null) {
  return {
    suspendedAt: suspension?.since.toISOString() ?? null,
    suspensionReason: suspension?.reason ?? null,
  }
}
