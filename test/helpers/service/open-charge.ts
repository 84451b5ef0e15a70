/** A charge of an account of its own, which waits for its payer. */
import { days } from '../run/test-clock.ts'
import { accountIdOf } from './call-rows.ts'
import { type MoneyService, pix } from './money.ts'
import { openAccount } from './people.ts'

/** Due in three days, by the clock of the test. */
export const orderNow = ({ clock }: Pick<MoneyService, 'clock'>) => ({
  ...pix,
  dueDate: new Date(clock.now().getTime() + 3 * days * 1000).toISOString().slice(0, 10),
})

export async function openCharge(service: MoneyService) {
  const { api, db } = service
  const admin = await openAccount(service)
  const accountId = await accountIdOf(db, admin.domain)
  const { body } = await api.post('/charges', orderNow(service), admin)
  const { id, paymentId } = body as { id: number; paymentId: string }
  return {
    admin,
    accountId,
    id,
    paymentId,
    shown: async () => (await api.get(`/charges/${id}`, admin)).body,
    row: () => db.selectFrom('charges').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
    cancel: () => api.patch(`/charges/${id}/cancel`, undefined, admin),
    /** By the operator. */
    refund: (reason = 'twice ordered') =>
      service.app.services.money.operatorRefunds.refund({ accountId, chargeId: id, reason }),
    balance: async () => (await api.get('/credits/balance', admin)).body.balance as number,
  }
}
