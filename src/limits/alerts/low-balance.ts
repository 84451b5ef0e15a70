/** D326: a balance that has become low is announced as an event (D125) and by mail to the ADMINs. */
import { type Centavos, writeCentavos } from '../../kit/text/money.ts'
import type { Outbox } from '../../mail/outbox.ts'
import type { Mail } from '../../mail/port.ts'
import type { Database } from '../../store/database.ts'
import { findAdmins } from '../../users/users-store.ts'
import { announceLowBalance } from '../../webhooks/account-events.ts'

type LowBalance = { accountId: number; balance: Centavos; threshold: Centavos; at: Date }

/** In the transaction that takes the balance below the threshold. */
export const createLowBalanceNotice =
  ({ outbox }: { outbox: Pick<Outbox, 'post'> }) =>
  async (tx: Database, low: LowBalance) => {
    await announceLowBalance(tx, low)
    for (const { email, domain } of await findAdmins(tx, low.accountId)) {
      await outbox.post(tx, lowBalanceMail(email, domain, low))
    }
  }

/** D145: nothing in it was typed by a stranger. */
function lowBalanceMail(recipient: string, domain: string, { balance, threshold }: LowBalance): Mail {
  const inPortuguese = (amount: Centavos) => writeCentavos(amount).replace('.', ',')
  return {
    recipient,
    subject: 'Saldo baixo · Low balance',
    text: `Olá!

O saldo da conta ${domain} é de R$ ${inPortuguese(balance)}, abaixo de R$ ${inPortuguese(threshold)}.
Sem crédito, novas chamadas são recusadas e as que estão em curso terminam. Adicione crédito para continuar ligando.
Este aviso volta só depois de o saldo ter ficado acima desse valor, que se muda nas configurações da conta.

--

Hello!

The balance of the account ${domain} is R$ ${writeCentavos(balance)}, below R$ ${writeCentavos(threshold)}.
Without credit, new calls are refused and those under way end. Add credit to go on calling.
This notice comes again only after the balance was above that amount, which is changed in the settings of the account.
`,
  }
}
