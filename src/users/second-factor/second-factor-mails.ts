/** Notices to a user whose second factor changed: if somebody else did it, the user learns of it and what to do. */
import type { Translated } from '../../kit/text/language.ts'
import type { Mail } from '../../mail/port.ts'
import { type Addressee, noticeMail } from '../notice-mail.ts'

export type SecondFactorChange = 'enabled' | 'disabled' | 'codes-renewed' | 'code-used'

type Words = {
  subject: string
  /** `left` is how many recovery codes are left. */
  says: (domain: string, left: number) => string
}

const words: Record<SecondFactorChange, Translated<Words>> = {
  enabled: {
    pt: {
      subject: 'Verificação em duas etapas ativada',
      says: (domain) =>
        `A verificação em duas etapas do seu usuário da conta ${domain} foi ativada. Para entrar, além da senha, é preciso um código do seu aplicativo.`,
    },
    en: {
      subject: 'Second factor enabled',
      says: (domain) =>
        `The second factor of your user of the account ${domain} was enabled. Besides the password, a login takes a code of your app.`,
    },
  },
  disabled: {
    pt: {
      subject: 'Verificação em duas etapas desativada',
      says: (domain) =>
        `A verificação em duas etapas do seu usuário da conta ${domain} foi desativada. Para entrar, basta a senha.`,
    },
    en: {
      subject: 'Second factor disabled',
      says: (domain) =>
        `The second factor of your user of the account ${domain} was disabled. The password is enough to log in.`,
    },
  },
  'codes-renewed': {
    pt: {
      subject: 'Novos códigos de recuperação',
      says: (domain) =>
        `Foram criados novos códigos de recuperação para o seu usuário da conta ${domain}. Os anteriores não valem mais.`,
    },
    en: {
      subject: 'New recovery codes',
      says: (domain) =>
        `New recovery codes were made for your user of the account ${domain}. The earlier ones no longer work.`,
    },
  },
  'code-used': {
    pt: {
      subject: 'Código de recuperação usado',
      says: (domain, left) =>
        `Um código de recuperação do seu usuário da conta ${domain} foi usado. Códigos restantes: ${left}.`,
    },
    en: {
      subject: 'Recovery code used',
      says: (domain, left) =>
        `A recovery code of your user of the account ${domain} was used. Codes left: ${left}.`,
    },
  },
}

const otherwise: Translated<string> = {
  pt: 'Se não foi você, troque sua senha agora e procure o suporte.',
  en: 'If this was not you, change your password now and contact support.',
}

export function secondFactorMail(change: SecondFactorChange, addressee: Addressee, left = 0): Mail {
  const { pt, en } = words[change]
  const { domain } = addressee
  return noticeMail(addressee, {
    pt: { subject: pt.subject, text: `${pt.says(domain, left)}\n${otherwise.pt}` },
    en: { subject: en.subject, text: `${en.says(domain, left)}\n${otherwise.en}` },
  })
}
