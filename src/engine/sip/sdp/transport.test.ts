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
