/** The mails that carry links. What a stranger may have typed stays out of them (D145). */
import type { LinkPurpose } from '../../contract/accounts/users.ts'
import type { Translated } from '../../kit/text/language.ts'
import type { Mail } from '../../mail/port.ts'
import { type Addressee, noticeMail } from '../notice-mail.ts'

type Words = {
  subject: string
  /** Before the address of the link. */
  asks: (domain: string) => string
  /** After it. */
  otherwise: string
}

const words: Record<LinkPurpose, Translated<Words>> = {
  'confirm-email': {
    pt: {
      subject: 'Confirme seu e-mail',
      asks: () => 'Para confirmar seu e-mail e ativar o acesso, abra este endereço em até 48 horas:',
      otherwise: 'Se você não pediu isto, ignore esta mensagem.',
    },
    en: {
      subject: 'Confirm your e-mail',
      asks: () => 'To confirm your e-mail and activate your access, open the address above within 48 hours.',
      otherwise: 'If you did not ask for this, ignore this message.',
    },
  },
  'new-email': {
    pt: {
      subject: 'Confirme seu novo e-mail',
      asks: (domain) =>
        `Foi pedido que um usuário da conta ${domain} passe a usar este e-mail. Para confirmar, abra este endereço em até 48 horas:`,
      otherwise: 'Se você não pediu isto, ignore esta mensagem: nada muda.',
    },
    en: {
      subject: 'Confirm your new e-mail',
      asks: (domain) =>
        `Somebody asked that a user of the account ${domain} use this e-mail. To confirm, open the address above within 48 hours.`,
      otherwise: 'If you did not ask for this, ignore this message: nothing changes.',
    },
  },
  'release-email': {
    pt: {
      subject: 'Seu e-mail já está em uso',
      asks: (domain) =>
        `Alguém tentou usar este e-mail, mas ele pertence a um usuário da conta ${domain} que nunca o confirmou. Se esse usuário é você, não faça nada. Se não é, libere o e-mail neste endereço em até 48 horas; o usuário de lá será removido e você poderá se cadastrar:`,
      otherwise: 'Se você não tentou nada, ignore esta mensagem.',
    },
    en: {
      subject: 'Your e-mail is already in use',
      asks: (domain) =>
        `Somebody tried to use this e-mail, but it belongs to a user of the account ${domain} who never confirmed it. If that user is you, do nothing. If not, release the e-mail at the address above within 48 hours: that user is removed, and you can sign up.`,
      otherwise: 'If you did not try anything, ignore this message.',
    },
  },
  'keep-email': {
    pt: {
      subject: 'Seu e-mail vai mudar',
      asks: (domain) =>
        `Foi pedido que seu usuário da conta ${domain} passe a usar outro e-mail. A troca vale quando o novo e-mail for confirmado. Se foi você, não faça nada. Se não foi, abra este endereço em até 7 dias, mesmo depois da troca: seu e-mail continua o mesmo, os tokens de acesso são encerrados, e você recebe um link para definir uma nova senha:`,
      otherwise: 'Quem pediu a troca usou um token de acesso seu.',
    },
    en: {
      subject: 'Your e-mail is about to change',
      asks: (domain) =>
        `Somebody asked that your user of the account ${domain} use another e-mail. It changes once the new one is confirmed. If that was you, do nothing. If not, open the address above within 7 days, also after the change: your e-mail stays, the access tokens end, and you get a link to set a new password.`,
      otherwise: 'The request was made with an access token of yours.',
    },
  },
  'reset-password': {
    pt: {
      subject: 'Nova senha',
      asks: () => 'Para definir uma nova senha, abra este endereço em até uma hora:',
      otherwise: 'Se você não pediu isto, ignore esta mensagem: sua senha continua a mesma.',
    },
    en: {
      subject: 'New password',
      asks: () => 'To set a new password, open the address above within one hour.',
      otherwise: 'If you did not ask for this, ignore this message: your password stays as it is.',
    },
  },
  invitation: {
    pt: {
      subject: 'Convite',
      asks: (domain) =>
        `Você foi convidado para a conta ${domain}. Para aceitar, abra este endereço em até 7 dias e escolha uma senha:`,
      otherwise: 'Se você não conhece esta conta, ignore esta mensagem.',
    },
    en: {
      subject: 'Invitation',
      asks: (domain) =>
        `You were invited to the account ${domain}. To accept, open the address above within 7 days and choose a password.`,
      otherwise: 'If you do not know this account, ignore this message.',
    },
  },
}

export function linkMail(purpose: LinkPurpose, addressee: Addressee, link: string): Mail {
  const { pt, en } = words[purpose]
  const { domain } = addressee
  return noticeMail(addressee, {
    pt: { subject: pt.subject, text: `${pt.asks(domain)}\n\n${link}\n\n${pt.otherwise}` },
    en: { subject: en.subject, text: `${en.asks(domain)}\n${en.otherwise}` },
  })
}

/** To an old address that gets no link (D203), when a new one was asked for: the user may not have asked. */
export function emailChangeNotice(addressee: Addressee): Mail {
  const { domain } = addressee
  return noticeMail(addressee, {
    pt: {
      subject: 'Seu e-mail vai mudar',
      text: `Foi pedido que seu usuário da conta ${domain} passe a usar outro e-mail. A troca vale quando o novo e-mail for confirmado.
Se você não pediu isto, troque sua senha agora: o pedido é cancelado.`,
    },
    en: {
      subject: 'Your e-mail is about to change',
      text: `Somebody asked that your user of the account ${domain} use another e-mail. It changes once the new one is confirmed.
If you did not ask for this, change your password now: that cancels the request.`,
    },
  })
}
