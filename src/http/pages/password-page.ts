/** The page on which a person sets a password: after an invitation, or having forgotten the old one (D139, D141). */
import type { Translated } from '../../kit/text/language.ts'
import type { PasswordPurpose } from '../../users/links/link.ts'
import { escapeHtml } from './html.ts'
import { type Headers, languageOf, linkPage, type NextPage, nextLink } from './link-page.ts'

type Shown = { purpose: PasswordPurpose; email: string; domain: string }

type Words = {
  titles: Record<PasswordPurpose, string>
  /** E-mail and domain are HTML already. */
  about: Record<PasswordPurpose, (email: string, domain: string) => string>
  field: string
  rule: string
  button: string
  done: string
  did: (email: string) => string
  failed: string
  why: string
}

const words: Translated<Words> = {
  pt: {
    titles: { 'reset-password': 'Nova senha', invitation: 'Boas-vindas' },
    about: {
      'reset-password': (email) =>
        `Escolha uma nova senha para ${email}. Os outros acessos serão encerrados.`,
      invitation: (email, domain) => `Escolha uma senha para entrar na conta ${domain} com ${email}.`,
    },
    field: 'Senha',
    rule: 'De 8 a 200 caracteres.',
    button: 'Salvar senha',
    done: 'Senha salva',
    did: (email) => `Entre com ${email} e a nova senha.`,
    failed: 'Este link não vale mais',
    why: 'Ele já foi usado, expirou, foi substituído por um mais novo ou não está completo. Peça outro: o de uma senha esquecida vale uma hora, o de um convite, 7 dias.',
  },
  en: {
    titles: { 'reset-password': 'New password', invitation: 'Welcome' },
    about: {
      'reset-password': (email) => `Choose a new password for ${email}. Your other sessions end.`,
      invitation: (email, domain) => `Choose a password to enter the account ${domain} with ${email}.`,
    },
    field: 'Password',
    rule: '8 to 200 characters.',
    button: 'Save password',
    done: 'Password saved',
    did: (email) => `Log in with ${email} and the new password.`,
    failed: 'This link no longer works',
    why: 'It was used already, has expired, was replaced by a newer one, or is not complete. Ask for another: one for a forgotten password works for an hour, an invitation for 7 days.',
  },
}

const strong = (text: string) => `<strong>${escapeHtml(text)}</strong>`

/** The form posts to the address of the page, which holds the token. */
export function passwordPage({ purpose, email, domain }: Shown, isWrong: boolean, headers: Headers): string {
  const language = languageOf(headers)
  const { titles, about, field, rule, button } = words[language]
  const form = `<form method="post">
<input type="hidden" autocomplete="username" value="${escapeHtml(email)}">
<p><label for="password">${field}</label><br>
<input id="password" name="newPassword" type="password" autocomplete="new-password" required minlength="8" maxlength="200" aria-describedby="rule" autofocus></p>
<p id="rule" class="${isWrong ? 'wrong' : 'faint'}">${rule}</p>
<button>${button}</button></form>`
  return linkPage(titles[purpose], `<p>${about[purpose](strong(email), strong(domain))}</p>${form}`, language)
}

export function passwordSetPage(email: string, next: NextPage, headers: Headers): string {
  const language = languageOf(headers)
  const { done, did } = words[language]
  return linkPage(done, `<p>${did(strong(email))}</p>${nextLink(next, language)}`, language)
}

export function passwordLinkFailedPage(headers: Headers): string {
  const language = languageOf(headers)
  const { failed, why } = words[language]
  return linkPage(failed, `<p>${why}</p>`, language)
}
