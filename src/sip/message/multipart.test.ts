import { expect, test } from 'vitest'
import { readSdpBody } from '../dialog/session-description.ts'
import { sipUri } from '../uri/uri.ts'
import { readParts } from './multipart.ts'
import { buildRequest } from './request.ts'

const sdp = [
  'v=0',
  'o=- 1 1 IN IP4 192.0.2.1',
  's=-',
  'c=IN IP4 192.0.2.1',
  'm=audio 4000 RTP/AVP 8',
  '',
].join('\r\n')
const isup = '\x01\x00\x49\x00\x00\x03\x02\x00\x07\r\n--outer'
const mixed = [
  'To be ignored',
  '--edge',
  'Content-Type: application/ISUP;version=spirou',
  'Content-Disposition: signal;handling=optional',
  '',
  isup,
  '--edge',
  'content-type : application/SDP',
  '',
  sdp,
  '--edge--',
  '',
].join('\r\n')

const read = (type: string, body: string) =>
  readSdpBody(
    buildRequest({
      method: 'INVITE',
      uri: sipUri({ host: '192.0.2.1' }),
      headers: [['Content-Type', type]],
      body: Buffer.from(body, 'latin1'),
    }),
  )

test.each(['multipart/mixed;boundary=edge', 'Multipart/Mixed; x=y; boundary="edge"'])(
  'SDP is read from its part of %s, beside the ISUP of a carrier',
  (type) => {
    expect(read(type, mixed)).toMatchObject({ sdp: { media: [{ port: 4000 }] } })
  },
)

test('a part is as long as its delimiter says, whatever its octets are', () => {
  const parts = readParts(Buffer.from(mixed, 'latin1'), 'edge')
  expect(parts.map(({ type, content }) => [type, content.toString('latin1')])).toEqual([
    ['application/isup', isup],
    ['application/sdp', sdp],
  ])
})

test.each([
  ['multipart/mixed', mixed],
  ['multipart/mixed;boundary=other', mixed],
  ['multipart/mixed;boundary=edge', mixed.replace('application/SDP', 'text/plain')],
  ['multipart/mixed;boundary=edge', mixed.slice(0, -10)],
  ['multipart/mixed;boundary=edge', '--edge\r\n--edge\r\n\r\n--edge--'],
  ['multipart/signed;boundary=edge', mixed],
])('%s without a whole part of SDP is refused with 415', (type, body) => {
  expect(read(type, body)).toMatchObject({ refusal: { status: 415 } })
})
