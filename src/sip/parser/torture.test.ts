import { describe, expect, test } from 'vitest'
import type { SipMessage } from '../message/message.ts'
import { buildResponse } from '../message/response.ts'
import { serialise } from '../message/serialise.ts'
import { SipRefusal } from '../refusal.ts'
import { torture, tortureMessage } from '../testing/torture/messages.ts'
import { parseMessage } from './parse.ts'

function outcome(bytes: Buffer): string {
  try {
    return parseMessage(bytes).kind
  } catch (error) {
    if (!(error instanceof SipRefusal)) throw error
    return `${error.request ? `answered ${error.status}` : 'dropped'}: ${error.message}`
  }
}

/** The result RFC 4475 gives for each message; where it leaves a choice, the strict one, except for baddate, since Date is not used. */
const expected: Record<string, string> = {
  '3.1.1.1 wsinv': 'request',
  '3.1.1.2 intmeth': 'request',
  '3.1.1.3 esc01': 'request',
  '3.1.1.4 escnull': 'request',
  '3.1.1.5 esc02': 'request',
  '3.1.1.6 lwsdisp': 'request',
  '3.1.1.7 longreq': 'request',
  '3.1.1.8 dblreq': 'request',
  '3.1.1.9 semiuri': 'request',
  '3.1.1.10 transports': 'request',
  '3.1.1.11 mpart01': 'request',
  '3.1.1.12 unreason': 'response',
  '3.1.1.13 noreason': 'response',
  '3.1.2.1 badinv01': 'answered 400: Parameter without a proper name',
  '3.1.2.2 clerr': 'answered 400: Content-Length beyond the end',
  '3.1.2.3 ncl': 'answered 400: Malformed Content-Length',
  '3.1.2.4 scalar02': 'answered 400: Missing or malformed CSeq',
  '3.1.2.5 scalarlg': 'dropped: Missing or malformed CSeq',
  '3.1.2.6 quotbal': 'answered 400: Quoted string does not end',
  '3.1.2.7 ltgtruri': 'answered 400: Malformed URI',
  '3.1.2.8 lwsruri': 'answered 400: Malformed request line',
  '3.1.2.9 lwsstart': 'answered 400: Malformed request line',
  '3.1.2.10 trws': 'answered 400: Malformed request line',
  '3.1.2.11 escruri': 'answered 400: Headers in the Request-URI',
  '3.1.2.12 baddate': 'request',
  '3.1.2.13 regbadct': 'answered 400: Address without its angle brackets',
  '3.1.2.14 badaspec': 'answered 400: Malformed URI',
  '3.1.2.15 baddn': 'answered 400: Malformed display name',
  '3.1.2.16 badvers': 'answered 505: Version Not Supported',
  '3.1.2.17 mismatch01': 'answered 400: CSeq of another method',
  '3.1.2.18 mismatch02': 'answered 400: CSeq of another method',
  '3.1.2.19 bigcode': 'dropped: Malformed status line',
  '3.2.1 badbranch': 'request',
  '3.3.1 insuf': 'dropped: Missing From',
  '3.3.2 unkscm': 'request',
  '3.3.3 novelsc': 'request',
  '3.3.4 unksm2': 'request',
  '3.3.5 bext01': 'request',
  '3.3.6 invut': 'request',
  '3.3.7 regaut01': 'request',
  '3.3.8 multi01': 'answered 400: CSeq given twice',
  '3.3.9 mcl01': 'answered 400: Malformed Content-Length',
  '3.3.10 bcast': 'response',
  '3.3.11 zeromf': 'request',
  '3.3.12 cparam01': 'request',
  '3.3.13 cparam02': 'request',
  '3.3.14 regescrt': 'request',
  '3.3.15 sdp01': 'request',
  '3.4.1 inv2543': 'request',
}

describe('RFC 4475', () => {
  test('has 49 messages, and each is here', () => {
    expect(torture.size).toBe(49)
    expect([...torture.keys()]).toEqual(Object.keys(expected))
  })

  test.each(Object.entries(expected))('%s → %s', (name, result) => {
    expect(outcome(tortureMessage(name))).toBe(result)
  })

  test.each([...torture.keys()].filter((name) => /^(?:request|answered)/.test(expected[name] ?? '')))(
    '%s can be answered with the headers it came with',
    (name) => {
      const answer = responseTo(tortureMessage(name))
      if (!answer) throw new Error('cannot be answered')
      const text = serialise(answer).toString()
      expect(text).toMatch(/^SIP\/2\.0 400 Bad Request\r\n/)
      expect(text.match(/^Via:/gm)?.length).toBeGreaterThan(0)
      expect(text.match(/^(?:From|To|Call-ID|CSeq):/gm)).toHaveLength(4)
    },
  )

  test.each([...torture].filter(([name]) => /^re/.test(expected[name] ?? '')))(
    '%s keeps its meaning when it is written and read again',
    (_name, bytes) => {
      const once = parseMessage(bytes)
      const again = parseMessage(serialise(once))
      expect(meaning(again)).toEqual(meaning(once))
      expect(serialise(again)).toEqual(serialise(once))
    },
  )
})

function responseTo(bytes: Buffer) {
  try {
    const message = parseMessage(bytes)
    return message.kind === 'request' ? buildResponse(message, 400) : undefined
  } catch (error) {
    return error instanceof SipRefusal && error.request ? buildResponse(error.request, 400) : undefined
  }
}

const meaning = (message: SipMessage) => ({
  ...message,
  headers: message.headers.filter(({ name }) => name !== 'Content-Length'),
})
