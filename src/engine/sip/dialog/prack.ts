/** PRACK (RFC 3262): we never ask for reliable provisional responses (100rel), but acknowledge those that come. */
import { cseq, requires } from '../headers/numbers.ts'
import { firstValue, type SipResponse } from '../message/message.ts'
import { readNumber } from '../syntax/token.ts'
import type { Dialog } from './dialog.ts'

const ignoreResponses = { onFinal() {}, onFailed() {} }

/** For one dialog. The returned function sends the PRACK, and says whether the response is new and in sequence. */
export function createPrackSender(dialog: Dialog) {
  let last: number | undefined
  return (response: SipResponse): boolean => {
    const sequence = readNumber(firstValue(response, 'RSeq') ?? '')
    if (sequence === undefined || !requires(response).includes('100rel')) return true
    if (last !== undefined && sequence !== last + 1) return false
    last = sequence
    const { number, method } = cseq(response)
    dialog.send('PRACK', { headers: [['RAck', `${sequence} ${number} ${method}`]] }, ignoreResponses)
    return true
  }
}
