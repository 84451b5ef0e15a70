/** Passwords and mails that are asked for: changing, resetting, another confirmation mail (D139, D147). */

import { ChangedPassword, Done, EmailOnly, SetPassword } from '../../../contract/accounts/users.ts'
import { Refusal } from '../../../contract/errors.ts'
import { expensive } from '../../../contract/limits.ts'
import { preferredLanguage, type Translated } from '../../../kit/text/language.ts'
import type { LinkRequests } from '../../../users/links/link-requests.ts'
import type { PasswordChanges } from '../../../users/passwords/password-changes.ts'
import { type AnyEntry, entry, Page, type Query } from '../../entry.ts'
import { type Headers, isForPeople, type NextPage } from '../../pages/link-page.ts'
import { passwordLinkFailedPage, passwordPage, passwordSetPage } from '../../pages/password-page.ts'
import { messageIn } from '../../server/errors/response-language.ts'

const tag = 'Users'

type Deps = {
  passwordChanges: PasswordChanges
  linkRequests: LinkRequests
  /** Where a person goes when the link has done its work. */
  next: () => NextPage
}

export function passwordRoutes({ passwordChanges, linkRequests, next }: Deps): AnyEntry[] {
  return [
    entry({
      method: 'POST',
      path: '/users/change-password',
      tag,
      about: 'Change your password; your other access tokens end',
      may: 'users.update-own',
      scope: 'admin',
      limit: 'other',
      weight: expensive,
      body: ChangedPassword,
      reply: Done,
      translated: true,
      errors: ['INVALID_PASSWORD', 'INVALID_CODE', 'REAUTHENTICATION_REQUIRED'],
      async run({ caller, language, body: { oldPassword, newPassword, code } }) {
        await passwordChanges.change(caller, { password: oldPassword, code }, newPassword)
        return messageIn(said.changed, language)
      },
    }),
    entry({
      method: 'POST',
      path: '/users/reset',
      tag,
      about: 'Ask for a mail with a link for a new password',
      may: 'anyone',
      limit: 'other',
      body: EmailOnly,
      reply: Done,
      translated: true,
      async run({ language, body: { email } }) {
        await linkRequests.request('reset-password', email)
        return messageIn(said.resetRequested, language)
      },
    }),
    entry({
      method: 'POST',
      path: '/users/resend-confirmation',
      tag,
      about: 'Ask for another confirmation mail',
      may: 'anyone',
      limit: 'other',
      body: EmailOnly,
      reply: Done,
      translated: true,
      async run({ language, body: { email } }) {
        await linkRequests.request('confirm-email', email)
        return messageIn(said.confirmationRequested, language)
      },
    }),
    entry({
      method: 'GET',
      path: '/users/set-password',
      tag,
      about: 'The link in the mail: a page with a form',
      may: 'anyone',
      limit: 'other',
      query: { token: { about: 'From the mail', required: true } },
      errors: ['PASSWORD_LINK_INVALID'],
      run: async ({ query, headers }) =>
        await orFailedPage(headers, async () => await formPage(tokenOf(query), false, headers)),
    }),
    entry({
      method: 'POST',
      path: '/users/set-password',
      tag,
      about: 'Set a password by the token of a link',
      may: 'anyone',
      limit: 'other',
      query: { token: { about: 'From the mail, unless it is in the body' } },
      form: true,
      body: SetPassword,
      reply: Done,
      errors: ['PASSWORD_LINK_INVALID'],
      run: async ({ query, body, headers }) =>
        await orFailedPage(headers, async () => {
          const token = body.token ?? tokenOf(query)
          try {
            const { email } = await passwordChanges.setByLink(token, body.newPassword)
            if (!isForPeople(headers)) return done(headers, said.set)
            return new Page(passwordSetPage(email, next(), headers))
          } catch (error) {
            const isShort = error instanceof Refusal && error.statusCode === 422
            if (!isShort || !isForPeople(headers)) throw error
            return await formPage(token, true, headers)
          }
        }),
    }),
  ]

  async function formPage(token: string, isWrong: boolean, headers: Headers): Promise<Page> {
    const shown = await passwordChanges.showLink(token)
    return new Page(passwordPage(shown, isWrong, headers), isWrong ? 422 : 200)
  }
}

const said = {
  changed: {
    en: 'The password was changed. Other access tokens have ended.',
    pt: 'A senha foi trocada. Os outros tokens de acesso foram encerrados.',
  },
  resetRequested: {
    en: 'If the address belongs to a user, a mail with a link is on its way.',
    pt: 'Se o endereço pertence a um usuário, um e-mail com um link está a caminho.',
  },
  confirmationRequested: {
    en: 'If the address waits for its confirmation, a mail with a link is on its way.',
    pt: 'Se o endereço espera por confirmação, um e-mail com um link está a caminho.',
  },
  set: { en: 'The password is set.', pt: 'A senha foi definida.' },
} satisfies Record<string, Translated<string>>

function done(headers: Headers, message: Translated<string>) {
  return messageIn(message, preferredLanguage(String(headers['accept-language'] ?? ''), 'en'))
}

const tokenOf = ({ token }: Query) => String(token)

/** A page for people whose link does not work, the error body for programs. */
async function orFailedPage<T>(headers: Headers, work: () => Promise<T | Page>): Promise<T | Page> {
  try {
    return await work()
  } catch (error) {
    const isInvalid = error instanceof Refusal && error.code === 'PASSWORD_LINK_INVALID'
    if (!isInvalid || !isForPeople(headers)) throw error
    return new Page(passwordLinkFailedPage(headers), error.statusCode)
  }
}
