/** PRACK (RFC 3262): reliable provisional responses (100rel) that come are acknowledged; we require them only on demand (D271). */
import { cseq, requires } from '../headers/numbers.ts'
import { firstValue, type SipResponse } from '../message/message.ts'
import { readNumber } from '../syntax/token.ts'
import type { Dialog } from './dialog.ts'

const ignoreResponses = { onFinal() {}, onFailed() {} }

export function isReliable(response: SipResponse): boolean {
  return firstValue(response, 'RSeq') !== undefined && requires(response).includes('100rel')
}

/** For one dialog. The returned function sends the PRACK, and says whether the response is new and in sequence. */
export function createPrackSender(dialog: Dialog) {
  let last: number | undefined
  return (response: SipResponse): boolean => {
    const sequence = readNumber(firstValue(response, 'RSeq') ?? '')
    if (sequence === undefined || !isReliable(response)) return true
    if (last !== undefined && sequence !== last + 1) return false
    last = sequence
    const { number, method } = cseq(response)
    dialog.send('PRACK', { headers: [['RAck', `${sequence} ${number} ${method}`]] }, ignoreResponses)
    return true
  }
}
