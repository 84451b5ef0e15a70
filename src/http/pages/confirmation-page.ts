/** What a person sees who opens a confirming link: a button, and then what it did (D138). */
import type { Translated } from '../../kit/text/language.ts'
import type { ConfirmingPurpose } from '../../users/links/link.ts'
import { escapeHtml } from './html.ts'
import { type Headers, languageOf, linkPage, type NextPage, nextLink } from './link-page.ts'

type Shown = { purpose: ConfirmingPurpose; email: string; domain: string }
type Done = { purpose: ConfirmingPurpose; email: string; domain: string | undefined }

type Words = {
  title: string
  /** E-mail and domain are HTML already. */
  asks: (email: string, domain: string) => string
  button: string
  done: string
  /** The domain is undefined unless the account has become active now. */
  did: (email: string, domain: string | undefined) => string
}

const words: Record<ConfirmingPurpose, Translated<Words>> = {
  'confirm-email': {
    pt: {
      title: 'Confirme seu e-mail',
      asks: (email) => `Aperte o botão para confirmar que ${email} é seu.`,
      button: 'Confirmar e-mail',
      done: 'E-mail confirmado',
      did: (_email, domain) =>
        domain === undefined
          ? 'Seu e-mail foi confirmado.'
          : `A conta ${domain} está ativa. Você já pode entrar.`,
    },
    en: {
      title: 'Confirm your e-mail',
      asks: (email) => `Press the button to confirm that ${email} is yours.`,
      button: 'Confirm e-mail',
      done: 'E-mail confirmed',
      did: (_email, domain) =>
        domain === undefined
          ? 'Your e-mail is confirmed.'
          : `The account ${domain} is active. You can log in now.`,
    },
  },
  'new-email': {
    pt: {
      title: 'Confirme seu novo e-mail',
      asks: (email, domain) =>
        `Aperte o botão para que seu usuário da conta ${domain} passe a usar ${email}.`,
      button: 'Usar este e-mail',
      done: 'E-mail trocado',
      did: (email) => `De agora em diante, entre com ${email}.`,
    },
    en: {
      title: 'Confirm your new e-mail',
      asks: (email, domain) => `Press the button to let your user of the account ${domain} use ${email}.`,
      button: 'Use this e-mail',
      done: 'E-mail changed',
      did: (email) => `From now on, log in with ${email}.`,
    },
  },
  'keep-email': {
    pt: {
      title: 'Manter meu e-mail',
      asks: (email, domain) =>
        `Aperte o botão para que seu usuário da conta ${domain} continue com ${email}. Os tokens de acesso e a senha são encerrados, e enviamos um link para definir uma nova senha.`,
      button: 'Manter este e-mail',
      done: 'E-mail mantido',
      did: (email) => `Enviamos para ${email} um link para definir uma nova senha.`,
    },
    en: {
      title: 'Keep my e-mail',
      asks: (email, domain) =>
        `Press the button to let your user of the account ${domain} keep ${email}. The access tokens and the password end, and we send a link to set a new password.`,
      button: 'Keep this e-mail',
      done: 'E-mail kept',
      did: (email) => `We sent a link to ${email} to set a new password.`,
    },
  },
  'release-email': {
    pt: {
      title: 'Liberar este e-mail',
      asks: (email, domain) =>
        `${email} pertence a um usuário da conta ${domain} que nunca o confirmou. Se esse usuário não é você, aperte o botão: ele será removido, e o e-mail fica livre.`,
      button: 'Remover o usuário e liberar o e-mail',
      done: 'E-mail liberado',
      did: (email) => `${email} está livre. Você já pode se cadastrar com ele.`,
    },
    en: {
      title: 'Release this e-mail',
      asks: (email, domain) =>
        `${email} belongs to a user of the account ${domain} who never confirmed it. If that user is not you, press the button: the user is removed, and the e-mail is free.`,
      button: 'Remove the user and release the e-mail',
      done: 'E-mail released',
      did: (email) => `${email} is free. You can sign up with it now.`,
    },
  },
}

const failed: Translated<{ title: string; why: string; taken: string }> = {
  pt: {
    title: 'Este link não vale mais',
    why: 'Ele já foi usado, expirou, foi substituído por um mais novo ou não está completo. Ao entrar com sua senha, enviamos um novo link se a conta ainda não estiver ativa.',
    taken: 'Outra pessoa já usa este e-mail.',
  },
  en: {
    title: 'This link no longer works',
    why: 'It was used already, has expired, was replaced by a newer one, or is not complete. Log in with your password: if the account is not active yet, we send a new link.',
    taken: 'Somebody else uses this e-mail now.',
  },
}

const strong = (text: string) => `<strong>${escapeHtml(text)}</strong>`

/** The form posts to the address of the page, which holds the token. */
export function confirmationPage({ purpose, email, domain }: Shown, headers: Headers): string {
  const language = languageOf(headers)
  const { title, asks, button } = words[purpose][language]
  const form = `<form method="post"><button>${button}</button></form>`
  return linkPage(title, `<p>${asks(strong(email), strong(domain))}</p>${form}`, language)
}

export function confirmedPage({ purpose, email, domain }: Done, next: NextPage, headers: Headers): string {
  const language = languageOf(headers)
  const { done, did } = words[purpose][language]
  const sentence = did(strong(email), domain === undefined ? undefined : strong(domain))
  return linkPage(done, `<p>${sentence}</p>${nextLink(next, language)}`, language)
}

export function confirmationFailedPage(isTaken: boolean, headers: Headers): string {
  const language = languageOf(headers)
  const { title, why, taken } = failed[language]
  return linkPage(title, `<p>${isTaken ? taken : why}</p>`, language)
}
