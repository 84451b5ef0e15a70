import { expect, test } from 'vitest'
import { buildRequest } from '../../../../sip/message/request.ts'
import { sipUri } from '../../../../sip/uri/uri.ts'
import { readInfoKey } from './info-keys.ts'

const info = (type: string, body: string) =>
  buildRequest({
    method: 'INFO',
    uri: sipUri({ host: 'ramal.test' }),
    headers: [['Content-Type', type]],
    body: Buffer.from(body),
  })

test.each([
  ['application/dtmf-relay', 'Signal=5\r\nDuration=160\r\n', '5'],
  ['application/dtmf-relay', 'Signal= #\r\nDuration= 160\r\n', '#'],
  ['application/dtmf-relay; charset=utf-8', 'signal = 10\n', '*'],
  ['Application/DTMF', '7', '7'],
  ['application/dtmf', '11\r\n', '#'],
  ['application/dtmf', 'd', 'D'],
  ['application/dtmf', '16', undefined],
  ['application/dtmf', '', undefined],
  ['application/dtmf-relay', 'Duration=160', undefined],
  ['application/media_control+xml', '5', undefined],
])('%s with %j is the key %s', (type, body, key) => {
  expect(readInfoKey(info(type, body))).toBe(key)
})
