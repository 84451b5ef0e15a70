/** Spec §4.4, the account: signup, confirmation, reading, changing, and its audit log. */

import type { Account as AccountRecord } from '../../../accounts/account.ts'
import type { Accounts } from '../../../accounts/accounts.ts'
import type { Signups } from '../../../accounts/signup.ts'
import { Account, AccountPatch, AuditEntry, SignedUp, Signup } from '../../../contract/accounts/accounts.ts'
import { Refusal } from '../../../contract/errors.ts'
import { listed, PageMeta } from '../../../contract/schema/common.ts'
import { Type } from '../../../contract/schema/type.ts'
import { readPagedList } from '../../../filter/list-query.ts'
import { pageMeta } from '../../../filter/page.ts'
import { pickFields } from '../../../filter/selection.ts'
import type { Translated } from '../../../kit/text/language.ts'
import { auditList } from '../../../users/audit/audit-list.ts'
import type { Confirmations } from '../../../users/links/confirmations.ts'
import { type AnyEntry, entry, Page } from '../../entry.ts'
import { type Exports, fileFormat, formatParameter } from '../../export.ts'
import { confirmationFailedPage, confirmationPage, confirmedPage } from '../../pages/confirmation-page.ts'
import { type Headers, isForPeople, type NextPage } from '../../pages/link-page.ts'
import { messageIn } from '../../server/errors/response-language.ts'
import { pageParameters } from '../parameters.ts'

const tag = 'Account'

const signedUp: Translated<string> = {
  en: 'Account created. Follow the link in the e-mail we sent to activate it.',
  pt: 'Conta criada. Siga o link no e-mail que enviamos para ativá-la.',
}

const confirmToken = {
  about: 'From the mail; works once, for the time the mail says',
  required: true,
} as const

type Deps = {
  accounts: Accounts
  signups: Signups
  confirmations: Confirmations
  /** Where a person goes when the link has done its work. */
  next: () => NextPage
  exports: Exports
  strictPaging: boolean
}

export function accountRoutes(deps: Deps): AnyEntry[] {
  const { accounts, signups, confirmations, next, exports, strictPaging } = deps
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
      translated: true,
      async run({ language, body: { organization_name, user_quantity, ...rest } }) {
        await signups.signup({ ...rest, organizationName: organization_name, userQuantity: user_quantity })
        return { status: 201 as const, ...messageIn(signedUp, language) }
      },
    }),
    entry({
      method: 'GET',
      path: '/accounts/confirm',
      tag,
      about: 'The link in a confirmation mail: a page with a button',
      may: 'anyone',
      limit: 'other',
      query: { token: confirmToken },
      errors: ['CONFIRMATION_INVALID'],
      run: async ({ query: { token }, headers }) =>
        await orFailedPage(
          headers,
          async () => new Page(confirmationPage(await confirmations.show(String(token)), headers)),
        ),
    }),
    entry({
      method: 'POST',
      path: '/accounts/confirm',
      tag,
      about: 'The button behind the link: confirms, activates the account',
      may: 'anyone',
      limit: 'other',
      query: { token: confirmToken },
      form: true,
      errors: ['CONFIRMATION_INVALID'],
      run: async ({ query: { token }, headers }) =>
        await orFailedPage(headers, async () => {
          const confirmed = await signups.confirm(String(token))
          return new Page(confirmedPage(confirmed, next(), headers))
        }),
    }),
    entry({
      method: 'GET',
      path: '/accounts',
      tag,
      about: 'Show the account',
      may: 'accounts.read',
      scope: 'admin',
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
      scope: 'admin',
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
      scope: 'admin',
      limit: 'other',
      query: { ...pageParameters(auditList), format: formatParameter },
      reply: Type.Object({ data: Type.Array(listed(AuditEntry)), meta: PageMeta }),
      errors: ['MISSING_REQUIRED_PARAMETER', 'EXPORT_RUNNING'],
      async run({ caller, query: { format, ...query }, headers }) {
        const { timeZone } = caller
        const file = fileFormat({ format }, headers)
        const asked = readPagedList(auditList, query, { timeZone, strictPaging })
        const present = (row: AuditRow) => pickFields(asked.fields, { ...row, at: row.at.toISOString() })
        if (file) {
          return await exports.answer(caller, {
            format: file,
            name: 'audit',
            columns: Object.keys(AuditEntry.properties).filter((name) => asked.fields?.has(name) ?? true),
            pages: accounts.wholeAudit(caller, asked),
            write: (row) => JSON.stringify(present(row)),
            cells: present,
          })
        }
        const { rows, ...page } = await accounts.audit(caller, asked)
        return { data: rows.map(present), meta: pageMeta(asked, page) }
      },
    }),
  ]
}

type AuditRow = Awaited<ReturnType<Accounts['audit']>>['rows'][number]

/** A page for people whose link does not work, the error body for programs. */
async function orFailedPage(headers: Headers, work: () => Promise<Page>): Promise<Page> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Refusal && isForPeople(headers))) throw error
    return new Page(confirmationFailedPage(error.statusCode === 422, headers), error.statusCode)
  }
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
