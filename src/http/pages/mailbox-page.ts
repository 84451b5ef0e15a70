/** The development mailbox: mails that a mail server would have sent. */
import type { Language, Translated } from '../../kit/text/language.ts'
import type { Outbox } from '../../mail/outbox.ts'
import { escapeHtml, htmlPage } from './html.ts'

type KeptMail = Awaited<ReturnType<Outbox['read']>>[number]

const words: Translated<{ title: string; empty: string; closed: string }> = {
  pt: {
    title: 'Caixa de e-mails de desenvolvimento',
    empty: 'Nenhum e-mail ainda. Crie uma conta, e a confirmação chega aqui.',
    closed:
      'Esta página é do operador. Abra o link da caixa de e-mails que o serviço mostrou ao iniciar, ou entre em <a href="/operator">/operator</a> com o token do operador.',
  },
  en: {
    title: 'Development mailbox',
    empty: 'No mail yet. Sign up, and the confirmation comes here.',
    closed:
      'This page is for the operator. Open the link to the mailbox that the service printed at its start, or sign in at <a href="/operator">/operator</a> with the operator token.',
  },
}

export function mailboxPage(mails: KeptMail[], language: Language): string {
  const { title, empty } = words[language]
  const articles = mails.map(
    ({ recipient, subject, createdAt, text }) => `<article><h2>${escapeHtml(subject)}</h2>
<p class="faint">${escapeHtml(recipient)} · ${createdAt.toISOString()}</p>
<pre>${withLinks(escapeHtml(text))}</pre></article>`,
  )
  const body = articles.join('') || `<article><p>${empty}</p></article>`
  return htmlPage(title, `<main class="list"><h1>${title}</h1>${body}</main>`, language)
}

/** D109: for a browser without the operator token. */
export function closedMailboxPage(language: Language): string {
  const { title, closed } = words[language]
  return htmlPage(title, `<main><h1>${title}</h1><p>${closed}</p></main>`, language)
}

const withLinks = (html: string) => html.replace(/https?:\/\/[^\s<&]+/g, '<a href="$&">$&</a>')
