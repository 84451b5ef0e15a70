/** A stranger signs up where there is a carrier, and "pays" in the payment sandbox that was left on. */
import { expect, onTestFinished, test } from 'vitest'
import { followPayments, payAtSandbox, pix } from '../../helpers/service/money.ts'
import { openAccount } from '../../helpers/service/people.ts'
import { startVoiceService } from '../../helpers/service/voice.ts'

const trunk = { name: 'main', address: 'sip:carrier.example', qualifySeconds: 0 }

/** An account that has paid a charge and given a tax id, both to the sandbox. */
async function openPaidAccount(settings: Record<string, string>) {
  const service = await startVoiceService({ NEW_CALLS_PER_DAY: '200', ...settings })
  onTestFinished(() => service.stop())
  const account = await openAccount(service)
  const charge = { ...pix, paymentMethod: 'UNDEFINED', amount: 49_999 }
  const { body } = await service.api.post('/charges', charge, account)
  await payAtSandbox(body.paymentLink)
  const balance = async () => {
    await followPayments(service)
    return (await service.api.get('/credits/balance', account)).body.balance
  }
  await expect.poll(balance).toBe(50_009)
  const financial = await service.api.post('/accounts/financial', { cpfCnpj: '52998224725' }, account)
  expect(financial.status).toBe(200)
  return (await service.api.get('/accounts/limits', account)).body
}

test('D480: with a carrier, neither a payment nor a tax id proves an account in the sandbox', async () => {
  const limits = await openPaidAccount({ TRUNKS: JSON.stringify([trunk]) })
  expect(limits).toMatchObject({
    proven: false,
    provenBy: null,
    callsPerDay: { limit: 200, source: 'new-account' },
  })
})

test('D195: without a carrier, where calls cost nobody anything, a payment in the sandbox proves it', async () => {
  expect(await openPaidAccount({})).toMatchObject({ proven: true, provenBy: 'payment' })
})
