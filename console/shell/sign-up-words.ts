/** Words of signing up and of a forgotten password, which most visits do not need. */
import type { Translated } from '../words/translated.ts'

const pt = {
  signUpAbout: 'Leva um minuto. Você começa com crédito de teste.',
  haveAccount: 'Já tem conta?',
  company: 'Empresa',
  domain: 'Endereço da conta',
  domainHint: 'Letras, números e hífen. Os ramais ficam neste endereço.',
  newPassword: 'De 8 a 200 caracteres.',
  crm: 'CRM que você usa',
  otherCrm: 'Outro ou nenhum',
  team: 'Tamanho da equipe',
  people: (count: string) => `${count} pessoas`,
  checkMail: 'Confira seu e-mail',
  checkMailAbout: (email: string) =>
    `Enviamos um link para ${email}. Abra-o para ativar a conta e volte aqui.`,
  confirmed: 'Já abri o link: entrar',
  resend: 'Enviar o link de novo',
  resent: 'Se o endereço espera por confirmação, o link está a caminho.',
  forgotAbout: 'Enviaremos um link para você escolher uma nova senha.',
  sendLink: 'Enviar link',
  sent: 'Se o endereço pertence a um usuário, o link está a caminho. Ele vale por uma hora.',
  backToSignIn: 'Voltar para entrar',
  mailbox: 'Neste ambiente de teste os e-mails não são enviados.',
  openMailbox: 'Abrir a caixa de e-mails de teste',
}

const en: typeof pt = {
  signUpAbout: 'It takes a minute. You start with trial credit.',
  haveAccount: 'Already have an account?',
  company: 'Company',
  domain: 'Account address',
  domainHint: 'Letters, digits and hyphens. Extensions are at this address.',
  newPassword: '8 to 200 characters.',
  crm: 'CRM that you use',
  otherCrm: 'Another or none',
  team: 'Size of the team',
  people: (count) => `${count} people`,
  checkMail: 'Check your e-mail',
  checkMailAbout: (email) =>
    `We sent a link to ${email}. Open it to activate the account, and come back here.`,
  confirmed: 'I opened the link: sign in',
  resend: 'Send the link again',
  resent: 'If the address waits for its confirmation, the link is on its way.',
  forgotAbout: 'We will send you a link to choose a new password.',
  sendLink: 'Send link',
  sent: 'If the address belongs to a user, the link is on its way. It works for one hour.',
  backToSignIn: 'Back to sign in',
  mailbox: 'In this test environment no mail is sent.',
  openMailbox: 'Open the test mailbox',
}

export const signUpWords: Translated<typeof pt> = { pt, en }
