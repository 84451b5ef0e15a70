import { expect, test } from 'vitest'
import { offer } from '../../sip/sdp/offer.ts'
import { parseSdp } from '../../sip/sdp/parse.ts'
import { readTerms } from '../../sip/sdp/terms.ts'
import { writeSdp } from '../../sip/sdp/write.ts'
import { audioCodecNames, codecNamed, codecNames, codecs, findCodec } from './registry.ts'

const origin = { username: '-', sessionId: '1', version: '1', address: '192.0.2.1' }
const offered = offer({ origin, address: '192.0.2.1', port: 4000, codecs: codecNames })

test('names and payload types are unique and fit into RTP', () => {
  expect(new Set(codecNames).size).toBe(codecs.length)
  const types = codecs.map(({ payloadType }) => payloadType)
  expect(new Set(types).size).toBe(codecs.length)
  for (const type of types) expect(type >= 0 && type <= 127).toBe(true)
})

test('an SDP offer lists the codecs in the order of the registry, then telephone events', () => {
  const listed = offered.media[0]?.codecs.map(({ name }) => name) ?? []
  expect(listed.slice(0, codecs.length)).toEqual(codecNames)
  expect(new Set(listed.slice(codecs.length))).toEqual(new Set(['telephone-event']))
  const types = offered.media[0]?.formats ?? []
  expect(new Set(types).size).toBe(types.length)
})

test('every codec of the registry is recognised in an SDP, with its telephone events', () => {
  for (const name of codecNames) {
    const sdp = parseSdp(writeSdp(offer({ origin, address: '192.0.2.1', port: 4000, codecs: [name] })))
    const terms = readTerms(sdp, [name])
    expect(terms).toMatchObject({ codec: name, payloadType: codecNamed(name).payloadType })
    expect(terms?.telephoneEvent).toBeDefined()
  }
})

test('a codec that is not in the registry is refused', () => {
  const sdp = [
    'v=0',
    'o=- 1 1 IN IP4 192.0.2.1',
    's=-',
    'c=IN IP4 192.0.2.1',
    't=0 0',
    'm=audio 4000 RTP/AVP 18 97',
    'a=rtpmap:97 speex/8000',
  ]
  expect(readTerms(parseSdp(`${sdp.join('\r\n')}\r\n`))).toBeUndefined()
})

test('encoding names are case-insensitive, clock rate and channels must match', () => {
  for (const codec of codecs) {
    expect(findCodec(codec.name.toLowerCase(), codec.clockRate, codec.channels)).toBe(codec)
    expect(findCodec(codec.name, codec.clockRate + 1, codec.channels)).toBeUndefined()
    expect(findCodec(codec.name, codec.clockRate, codec.channels + 1)).toBeUndefined()
  }
})

test('codecs with audio can be converted', () => {
  expect(audioCodecNames).toEqual(codecs.filter((codec) => codec.audio).map(({ name }) => name))
})
