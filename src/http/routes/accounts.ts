/** Spec §4.4, the account: signup, confirmation, reading, changing, and its audit log. */
import { Type } from 'typebox'
import type { Account as AccountRecord } from '../../accounts/account.ts'
import type { Accounts } from '../../accounts/accounts.ts'
import type { Signups } from '../../accounts/signup.ts'
import { Account, AccountPatch, AuditEntry, SignedUp, Signup } from '../../contract/accounts.ts'
import { listed, PageMeta } from '../../contract/common.ts'
import { Refusal } from '../../contract/errors.ts'
import { readPagedList } from '../../filter/list-query.ts'
import { pageMeta } from '../../filter/page.ts'
import { pickFields } from '../../filter/selection.ts'
import { auditList } from '../../users/audit-list.ts'
import { type AnyEntry, entry, Page } from '../entry.ts'
import { confirmationFailedPage, confirmedPage } from '../pages/confirmation-page.ts'
import { pageParameters } from './parameters.ts'

const tag = 'Account'

type Deps = { accounts: Accounts; signups: Signups; strictPaging: boolean }

export function accountRoutes({ accounts, signups, strictPaging }: Deps): AnyEntry[] {
  return [
    entry({
      method: 'POST',
      path: '/accounts/signup',
      tag,
      about: 'Create an account; a mail with a confirmation link is sent',
      may: 'anyone',
      limit: 'other',
      body: Signup,
      status: 201,
      reply: SignedUp,
      async run({ body: { organization_name, user_quantity, ...rest } }) {
        await signups.signup({ ...rest, organizationName: organization_name, userQuantity: user_quantity })
        return {
          status: 201 as const,
          message: 'Account created. Follow the link in the e-mail we sent to activate it.',
        }
      },
    }),
    entry({
      method: 'GET',
      path: '/accounts/confirm',
      tag,
      about: 'The link in the confirmation mail: activates the account, answers a page',
      may: 'anyone',
      limit: 'other',
      query: { token: { about: 'From the mail; works once, for 48 hours', required: true } },
      errors: ['CONFIRMATION_INVALID'],
      async run({ query: { token }, headers }) {
        const language = headers['accept-language']
        try {
          return new Page(confirmedPage(await signups.confirm(String(token)), language))
        } catch (error) {
          const forPeople = String(headers.accept).includes('text/html')
          if (!(error instanceof Refusal && forPeople)) throw error
          return new Page(confirmationFailedPage(language), error.statusCode)
        }
      },
    }),
    entry({
      method: 'GET',
      path: '/accounts',
      tag,
      about: 'Show the account',
      may: 'accounts.read',
      limit: 'other',
      reply: Account,
      run: async ({ caller }) => presentAccount(await accounts.read(caller)),
    }),
    entry({
      method: 'PATCH',
      path: '/accounts',
      tag,
      about: 'Change name, e-mail or phone of the account',
      may: 'accounts.update',
      limit: 'other',
      body: AccountPatch,
      reply: Account,
      run: async ({ caller, body }) => presentAccount(await accounts.update(caller, body)),
    }),
    entry({
      method: 'GET',
      path: '/accounts/audit',
      tag,
      about: 'List what was done in the account that matters to its security',
      may: 'accounts.audit',
      limit: 'other',
      query: pageParameters(auditList),
      reply: Type.Object({ data: Type.Array(listed(AuditEntry)), meta: PageMeta }),
      errors: ['MISSING_REQUIRED_PARAMETER'],
      async run({ caller, query }) {
        const { timeZone } = caller
        const asked = readPagedList(auditList, query, { timeZone, strictPaging })
        const { rows, ...page } = await accounts.audit(caller, asked)
        const data = rows.map((row) => pickFields(asked.fields, { ...row, at: row.at.toISOString() }))
        return { data, meta: pageMeta(asked, page) }
      },
    }),
  ]
}

function presentAccount({ uuid, domain, name, email, phone, createdAt, updatedAt }: AccountRecord) {
  return {
    uuid,
    domain,
    name,
    email,
    phone,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  }
}
