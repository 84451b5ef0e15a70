/** What a person sees who followed a confirmation link. */
import { preferredLanguage } from '../../kit/language.ts'
import { escapeHtml, htmlPage } from './html.ts'

type Header = string | string[] | undefined

const texts = {
  pt: {
    done: 'E-mail confirmado',
    active: (domain: string) =>
      `A conta <strong>${escapeHtml(domain)}</strong> está ativa. Você já pode entrar.`,
    verified: 'Seu e-mail foi confirmado.',
    failed: 'Este link não vale mais',
    why: 'Ele já foi usado, expirou após 48 horas ou não está completo. Ao entrar com sua senha, enviamos um novo link se a conta ainda não estiver ativa.',
  },
  en: {
    done: 'E-mail confirmed',
    active: (domain: string) =>
      `The account <strong>${escapeHtml(domain)}</strong> is active. You can log in now.`,
    verified: 'Your e-mail is confirmed.',
    failed: 'This link no longer works',
    why: 'It was used already, expired after 48 hours, or is not complete. Log in with your password: if the account is not active yet, we send a new link.',
  },
}

const pick = (header: Header) => preferredLanguage(String(header ?? ''), 'pt')

/** Without a domain only the e-mail was confirmed: the account was active before. */
export function confirmedPage(domain: string, header: Header): string {
  const language = pick(header)
  const text = texts[language]
  const sentence = domain === '' ? text.verified : text.active(domain)
  return htmlPage(text.done, `<main><h1>${text.done}</h1><p>${sentence}</p></main>`, language)
}

export function confirmationFailedPage(header: Header): string {
  const language = pick(header)
  const text = texts[language]
  return htmlPage(text.failed, `<main><h1>${text.failed}</h1><p>${text.why}</p></main>`, language)
}
