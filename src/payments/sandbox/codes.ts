/** The codes that a payment of the sandbox is paid with. */
import { slipBarCode, slipLine } from '../codes/bank-slip.ts'
import { brCode } from '../codes/br-code.ts'
import { methodsOf, type SandboxPayment } from './payment.ts'

/** No bank has this code and nobody this key, so that no money can be paid by mistake. */
const bank = '999'
const pixKey = '5a4d7b0e-0000-4000-8000-72616d616c00'
const receiver = { receiver: 'RAMAL SANDBOX', city: 'SAO PAULO' }

/** Undefined where no method of the payment uses the code. */
export function codesOf(payment: SandboxPayment) {
  const { id, amount, dueDate, paymentId } = payment
  const methods = methodsOf(payment)
  const barCode = slipBarCode({ bank, dueDate, amount, freeField: String(id).padStart(25, '0') })
  const txid = paymentId.replace(/\W|_/g, '')
  return {
    slip: methods.includes('BOLETO') ? { barCode, line: slipLine(barCode) } : undefined,
    pix: methods.includes('PIX') ? brCode({ ...receiver, key: pixKey, amount, txid }) : undefined,
  }
}
