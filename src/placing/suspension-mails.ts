/** Mails to the ADMINs of an account that is suspended or released (D616). The operator wrote the reason, no stranger (D145). */
import type { Mail } from '../mail/port.ts'

export const suspensionMail =
  ({ domain, reason }: { domain: string; reason: string }) =>
  (recipient: string): Mail => ({
    recipient,
    subject: 'Conta suspensa · Account suspended',
    text: `Olá!

A conta ${domain} foi suspensa. Motivo:

${reason}

As chamadas em curso foram encerradas. Novas chamadas, acessos e registros de telefones são recusados até a conta ser
liberada. Seus dados e seu saldo continuam guardados. Fale com o suporte.

--

Hello!

The account ${domain} was suspended. Reason:

${reason}

Calls under way were ended. New calls, log-ins and registrations of phones are refused until the account is released.
Your data and your credit are kept. Ask support.
`,
  })

export const releaseMail =
  (domain: string) =>
  (recipient: string): Mail => ({
    recipient,
    subject: 'Conta liberada · Account released',
    text: `Olá!

A conta ${domain} foi liberada e funciona de novo. Entre de novo no console; os telefones se registram sozinhos, ou ao serem
reiniciados.

--

Hello!

The account ${domain} was released and works again. Sign in to the console again; phones register by themselves, or when they
are restarted.
`,
  })
