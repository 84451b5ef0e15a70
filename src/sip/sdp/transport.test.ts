import { expect, test } from 'vitest'
import { answer } from './answer.ts'
import { offer } from './offer.ts'
import { parseSdp } from './parse.ts'
import { readTerms } from './terms.ts'
import { plainTransport } from './transport.ts'
import { writeSdp } from './write.ts'

const fingerprint = { hash: 'sha-256' as const, value: Array(32).fill('AB').join(':') }
const key = 'd0RmdmcmVCspeEc3QGZiNWpVLFJhQX1cfHAwJSoj'
const origin = { username: '-', sessionId: '7', version: '1', address: '198.51.100.1' }
const ours = { origin, address: '198.51.100.1', port: 20_000 }
const all = ['none', 'dtls', 'sdes'] as const

/** As Firefox writes it: the fingerprint stands before the media. */
const browserOffer = (...more: string[]) =>
  [
    'v=0',
    'o=mozilla 1 0 IN IP4 0.0.0.0',
    's=-',
    't=0 0',
    `a=fingerprint:sha-256 ${fingerprint.value.toLowerCase()}`,
    'a=group:BUNDLE 0 1',
    'a=ice-options:trickle',
    'm=audio 9 UDP/TLS/RTP/SAVPF 111 8 0 126',
    'c=IN IP4 0.0.0.0',
    'a=rtpmap:111 opus/48000/2',
    'a=rtpmap:126 telephone-event/8000',
    'a=mid:0',
    'a=rtcp-mux',
    'a=ice-ufrag:abcd',
    'a=ice-pwd:abcdefghijklmnopqrstuvwx',
    'a=setup:actpass',
    ...more,
    'm=video 9 UDP/TLS/RTP/SAVPF 96',
    'c=IN IP4 0.0.0.0',
    'a=rtpmap:96 VP8/90000',
    'a=mid:1',
    '',
  ].join('\r\n')

const sdesOffer = (...lines: string[]) =>
  [
    'v=0',
    'o=- 1 1 IN IP4 192.0.2.1',
    's=-',
    'c=IN IP4 192.0.2.1',
    't=0 0',
    'm=audio 4000 RTP/SAVP 8',
    ...lines,
  ].join('\r\n')

const termsOf = (sdp: string) => readTerms(parseSdp(sdp), undefined, all)

test('the offer of a browser is read, and that its address is not known yet does not hold the call', () => {
  expect(termsOf(browserOffer())).toMatchObject({
    codec: 'PCMA',
    telephoneEvent: 126,
    direction: 'sendrecv',
    protection: { kind: 'dtls', fingerprint, ice: { ufrag: 'abcd', password: 'abcdefghijklmnopqrstuvwx' } },
  })
})

test('its answer has our candidate, our fingerprint and the bundle of what we accept', () => {
  const made = answer(parseSdp(browserOffer()), {
    ...ours,
    protections: all,
    transport: ({ transport: { mid, isBundled, isRtcpMuxed } }) => ({
      ...plainTransport,
      mid,
      isBundled,
      isRtcpMuxed,
      setup: 'passive',
      fingerprint,
      iceUfrag: 'ours',
      icePassword: 'our-password-of-24-letter',
      candidates: [{ address: '198.51.100.1', port: 20_000 }],
    }),
  })
  const text = made ? writeSdp(made.sdp) : ''
  for (const line of [
    'a=ice-lite',
    'a=group:BUNDLE 0',
    'm=audio 20000 UDP/TLS/RTP/SAVPF 8 126',
    'a=setup:passive',
    'a=rtcp-mux',
    'a=ice-ufrag:ours',
    'a=candidate:1 1 udp 2130706431 198.51.100.1 20000 typ host',
    `a=fingerprint:sha-256 ${fingerprint.value}`,
    'm=video 0 UDP/TLS/RTP/SAVPF 96',
    'a=mid:1',
  ])
    expect(text.split('\r\n')).toContain(line)
})

test('a browser that wants to be the server of DTLS, or has no fingerprint that we trust, is not understood', () => {
  expect(termsOf(browserOffer('a=setup:passive'))).toBeUndefined()
  const sha1 = browserOffer().replace(
    /a=fingerprint:.*/,
    `a=fingerprint:sha-1 ${Array(20).fill('AB').join(':')}`,
  )
  expect(termsOf(sha1)).toBeUndefined()
})

test('of the keys of a phone, the first of our suite counts; those with an identifier or parameters do not', () => {
  const lines = [
    `a=crypto:1 AES_256_CM_HMAC_SHA1_80 inline:${key}`,
    `a=crypto:2 AES_CM_128_HMAC_SHA1_80 inline:${key}|2^20|1:4`,
    `a=crypto:3 AES_CM_128_HMAC_SHA1_80 inline:${key} UNENCRYPTED_SRTP`,
    `a=crypto:4 AES_CM_128_HMAC_SHA1_80 inline:${key}|2^31`,
  ]
  expect(termsOf(sdesOffer(...lines))?.protection).toEqual({ kind: 'sdes', tag: 4, key })
  expect(termsOf(sdesOffer(...lines.slice(0, 3)))).toBeUndefined()
})

test('what is not asked for is not read: plain RTP only, unless more is allowed', () => {
  expect(readTerms(parseSdp(browserOffer()))).toBeUndefined()
  expect(readTerms(parseSdp(sdesOffer(`a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:${key}`)))).toBeUndefined()
})

test('our offers name the protocol of their protection', () => {
  const protocolWith = (transport: Parameters<typeof offer>[0]['transport']) =>
    offer({ ...ours, codecs: ['PCMA'], ...(transport && { transport }) }).media[0]?.protocol
  expect(protocolWith(undefined)).toBe('RTP/AVP')
  expect(protocolWith({ ...plainTransport, crypto: [{ tag: 1, key }] })).toBe('RTP/SAVP')
  expect(protocolWith({ ...plainTransport, fingerprint, setup: 'actpass' })).toBe('UDP/TLS/RTP/SAVPF')
})

/** What Firefox 153 offers with its default settings: the addresses of its candidates are mDNS names, that of RTCP too. */
const firefoxOffer = `v=0
o=mozilla...THIS_IS_SDPARTA-99.0 606173272201711419 0 IN IP4 0.0.0.0
s=-
t=0 0
a=sendrecv
a=fingerprint:sha-256 2D:F5:48:9F:06:EC:51:E7:6D:43:AD:32:86:20:C1:9E:51:C6:0C:C3:CA:D9:34:D5:F1:4F:1A:33:32:60:3F:1B
a=group:BUNDLE 0
a=ice-options:trickle
a=msid-semantic:WMS *
m=audio 9 UDP/TLS/RTP/SAVPF 109 9 0 8 101
c=IN IP4 0.0.0.0
a=candidate:0 1 UDP 2122187007 2f5f0a6b-a15f-40a9-8248-108a892caab5.local 43167 typ host
a=candidate:1 1 UDP 2122252543 ef59ba97-7257-4ca6-a1c4-05283ccc8669.local 45034 typ host
a=candidate:2 1 TCP 2105458943 2f5f0a6b-a15f-40a9-8248-108a892caab5.local 9 typ host tcptype active
a=candidate:0 2 UDP 2122187006 2f5f0a6b-a15f-40a9-8248-108a892caab5.local 55035 typ host
a=sendrecv
a=end-of-candidates
a=extmap:1 urn:ietf:params:rtp-hdrext:ssrc-audio-level
a=extmap:2/recvonly urn:ietf:params:rtp-hdrext:csrc-audio-level
a=extmap:3 urn:ietf:params:rtp-hdrext:sdes:mid
a=extmap:7 http://www.ietf.org/id/draft-holmer-rmcat-transport-wide-cc-extensions-01
a=extmap-allow-mixed
a=fmtp:109 maxplaybackrate=48000;stereo=1;useinbandfec=1
a=fmtp:101 0-15
a=ice-pwd:d4c6f13e69ab0429539f8b99a6d02278
a=ice-ufrag:0a464651
a=mid:0
a=msid:{84881706-ce60-4dce-aa0d-7db9bbddbeb5} {cb79e6e8-c9a0-4582-84ce-84671b483f66}
a=rtcp:55035 IN IP4 2f5f0a6b-a15f-40a9-8248-108a892caab5.local
a=rtcp-fb:109 transport-cc
a=rtcp-fb:8 transport-cc
a=rtcp-mux
a=rtpmap:109 opus/48000/2
a=rtpmap:9 G722/8000/1
a=rtpmap:0 PCMU/8000
a=rtpmap:8 PCMA/8000
a=rtpmap:101 telephone-event/8000
a=setup:actpass
a=ssrc:2576467900 cname:{55325a38-e722-4a93-9bbe-dfe09a55eb88}
`

test.each([
  ['as Firefox sends it', firefoxOffer],
  ['with a name in c= too', firefoxOffer.replace('c=IN IP4 0.0.0.0', 'c=IN IP4 2f5f0a6b.local')],
])('mDNS names in an offer with ICE are ignored, and hold no call: %s', (_, text) => {
  expect(termsOf(text)).toMatchObject({
    codec: 'PCMU',
    telephoneEvent: 101,
    direction: 'sendrecv',
    protection: {
      kind: 'dtls',
      ice: { ufrag: '0a464651', password: 'd4c6f13e69ab0429539f8b99a6d02278' },
    },
  })
})
