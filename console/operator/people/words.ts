/** Words of the page of operators, and of the page of a set-up link. */
import type { OperatorState } from '../../../src/contract/operator-people.ts'
import type { Translated } from '../../words/translated.ts'

const ptStates: Record<OperatorState, string> = {
  invited: 'Aguardando configuração',
  active: 'Ativo',
  off: 'Desligado',
}

const pt = {
  about: 'Quem opera o serviço. Cada um entra com e-mail, senha e o código do aplicativo autenticador.',
  none: 'Nenhum operador ainda',
  noneAbout: 'Adicione o primeiro: com nomes, o registro mostra quem alterou o quê.',
  you: 'você',
  linkUntil: (moment: string) => `link vale até ${moment}`,
  add: 'Adicionar operador',
  states: ptStates,
  lastLogin: 'Último acesso',
  reset: 'Redefinir',
  resetOf: (email: string) => `Redefinir o acesso de ${email}`,
  resetAbout: 'A senha e as sessões são encerradas, e um novo link de configuração é mostrado.',
  secondFactor: 'Também configurar outro aplicativo autenticador (celular perdido)',
  switchOff: 'Desligar',
  switchOn: 'Ligar',
  switchOffAbout: 'As sessões e o link são encerrados agora, e o operador não entra mais.',
  switchOnAbout: 'O operador volta a entrar com a senha e o código que tinha.',
  ownPassword: 'Sua própria senha',
  ownPasswordHint: 'Se você entrou com o token do operador, o token.',
  link: 'Link de configuração',
  linkAbout: (email: string) =>
    `Entregue este link a ${email}. Ele funciona uma vez, por 48 horas, e só é mostrado agora.`,
  setUp: 'Configurar o acesso',
  setUpAbout: (email: string) => `Escolha a senha de ${email}.`,
  newPassword: 'Nova senha',
  newPasswordHint: 'Ao menos 8 caracteres.',
  scan: 'Leia o código com um aplicativo autenticador e digite os seis dígitos que ele mostra.',
  qr: 'Código QR do segundo fator',
  byHand: 'Ou digite no aplicativo:',
  presentCode: 'Código do seu aplicativo autenticador, ou um código de recuperação',
  finish: 'Concluir',
  done: 'Tudo pronto',
  recoveryAbout:
    'Guarde estes códigos: cada um substitui uma vez o código do aplicativo, se você perder o celular.',
  toLogIn: 'Entrar',
}

const en: typeof pt = {
  about:
    'The people who operate the service. Each logs in with e-mail, password and a code of an authenticator app.',
  none: 'No operators yet',
  noneAbout: 'Add the first one: with names, the log shows who changed what.',
  you: 'you',
  linkUntil: (moment) => `link valid until ${moment}`,
  add: 'Add operator',
  states: { invited: 'Not set up yet', active: 'Active', off: 'Off' },
  lastLogin: 'Last log-in',
  reset: 'Reset',
  resetOf: (email) => `Reset the access of ${email}`,
  resetAbout: 'Password and sessions end, and another set-up link is shown.',
  secondFactor: 'Also set up another authenticator app (lost phone)',
  switchOff: 'Switch off',
  switchOn: 'Switch on',
  switchOffAbout: 'Sessions and set-up link end now, and the operator cannot log in any more.',
  switchOnAbout: 'The operator logs in again, with the password and codes of before.',
  ownPassword: 'Your own password',
  ownPasswordHint: 'If you entered with the operator token, that token.',
  link: 'Set-up link',
  linkAbout: (email) => `Give this link to ${email}. It works once, for 48 hours, and is shown only now.`,
  setUp: 'Set up your access',
  setUpAbout: (email) => `Choose the password of ${email}.`,
  newPassword: 'New password',
  newPasswordHint: 'At least 8 characters.',
  scan: 'Scan the code with an authenticator app and type the six digits that it shows.',
  qr: 'QR code of the second factor',
  byHand: 'Or type into the app:',
  presentCode: 'Code of your authenticator app, or a recovery code',
  finish: 'Finish',
  done: 'All set',
  recoveryAbout: 'Keep these codes: each replaces the code of the app once, if you lose your phone.',
  toLogIn: 'Log in',
}

export const peopleWords: Translated<typeof pt> = { pt, en }
