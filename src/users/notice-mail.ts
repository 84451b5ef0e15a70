/**
 * Mails in the two languages their readers may have. They repeat nothing that a stranger may have typed (D145): a mail of
 * ours must not become somebody else's message.
 */
import type { Translated } from '../kit/text/language.ts'
import type { Mail } from '../mail/port.ts'
import { firstNameOf } from './user.ts'

export type Addressee = {
  /** Where the mail goes. */
  email: string
  name: string
  /** The sign-up knows no person: its user is called like the account, and is greeted without a name. */
  accountName: string
  domain: string
}

type NoticeWords = { subject: string; text: string }

export function noticeMail(addressee: Addressee, { pt, en }: Translated<NoticeWords>): Mail {
  return {
    recipient: addressee.email,
    subject: `${pt.subject} · ${en.subject}`,
    text: `${greet('Olá', addressee)}

${pt.text}

--

${greet('Hello', addressee)}

${en.text}
`,
  }
}

function greet(word: string, { name, accountName }: Addressee): string {
  const firstName = name === accountName ? undefined : firstNameOf(name)
  return firstName === undefined ? `${word}!` : `${word}, ${firstName}!`
}
