import { expect, test } from 'vitest'
import { firstValue, type SipResponse } from '../../sip/message/message.ts'
import { buildRequest, type HeaderPairs } from '../../sip/message/request.ts'
import { parseUri } from '../../sip/uri/parse.ts'
import { answerOther } from './other-requests.ts'

function answerTo(method: string, { uri = 'sip:ramal.example', headers = [] as HeaderPairs } = {}) {
  const request = buildRequest({
    method,
    uri: parseUri(uri),
    headers: [
      ['Via', 'SIP/2.0/UDP 192.0.2.1;branch=z9hG4bK1'],
      ['From', '<sip:a@b.example>;tag=1'],
      ['To', '<sip:a@b.example>'],
      ['Call-ID', '1'],
      ['CSeq', `1 ${method}`],
      ...headers,
    ],
  })
  const answers: SipResponse[] = []
  const peer = { address: '192.0.2.1', port: 5060 }
  answerOther({
    request,
    flow: { transport: 'udp', local: peer, remote: peer },
    respond: (response) => void answers.push(response),
    repeat() {},
    onCancel() {},
  })
  return answers[0]
}

test('OPTIONS returns our capabilities and our name', () => {
  const answer = answerTo('OPTIONS')
  expect(answer && firstValue(answer, 'Server')).toBe('Ramal')
  expect(answer?.status).toBe(200)
  expect(answer && firstValue(answer, 'Allow')).toContain('UPDATE')
})

test.each([
  ['SUBSCRIBE', 489],
  ['PUBLISH', 489],
  ['MESSAGE', 405],
  ['NEWMETHOD', 405],
])('%s is answered with %i', (method, status) => {
  expect(answerTo(method)?.status).toBe(status)
})

test('RFC 3261, 8.2.2: an unknown scheme is refused, and unsupported extensions are named', () => {
  expect(answerTo('OPTIONS', { uri: 'soap.beep://192.0.2.103:3002' })?.status).toBe(416)
  const answer = answerTo('OPTIONS', { headers: [['Require', 'timer, nothing-we-know']] })
  expect(answer?.status).toBe(420)
  expect(answer && firstValue(answer, 'Unsupported')).toBe('nothing-we-know')
})
