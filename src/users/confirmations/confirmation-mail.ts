/** The mail that carries a confirmation link, in the two languages its readers may have. */
import type { Mail } from '../../mail/port.ts'

export function confirmationMail({ name, email }: { name: string; email: string }, link: string): Mail {
  return {
    recipient: email,
    subject: 'Confirme seu e-mail · Confirm your e-mail',
    text: `Olá, ${name}!

Para confirmar seu e-mail e ativar o acesso, abra este endereço em até 48 horas:

${link}

Se você não pediu isto, ignore esta mensagem.

--

Hello, ${name}!

To confirm your e-mail and activate your access, open the address above within 48 hours.
If you did not ask for this, ignore this message.
`,
  }
}
