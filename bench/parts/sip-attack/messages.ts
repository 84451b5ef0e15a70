/** Hostile SIP messages from a seed: written by the grammar with odd parts, taken from RFC 4475, then mutated. */
import { torture } from '../../../src/sip/testing/torture/messages.ts'
import type { SeededRandom } from '../crash/seeded-random.ts'

const methods = (
  'INVITE INVITE REGISTER REGISTER OPTIONS BYE ACK CANCEL INFO UPDATE PRACK ' +
  `SUBSCRIBE NOTIFY REFER MESSAGE PUBLISH invite X ${'A'.repeat(300)}`
).split(' ')
const usualMethods = methods.slice(0, 11)
const hosts = (
  'bench.test 127.0.0.1 [::1] a  0.0.0.0 256.256.256.256 [::ffff:127.0.0.1] ex%41mple 127.0.0.1:0 127.0.0.1:99999 ' +
  `bench.test:5060 ${'x'.repeat(260)}`
).split(' ')
const users = `1000 1001  %00 % 5548999998888 a;b=c " < ü ${'0'.repeat(99)} *`.split(' ')
const uriParams = ' ;transport=tcp ;lr ;maddr=10.0.0.1 ;ttl=999 ;user=phone ?a=b&c=%0d%0a ;;='.split(' ')
const numbers = '0|1|2|70|-1|4294967295|4294967296|1e9|| 1|99999999999999999999|a'.split('|')
const sdpLines = `v=0
o=- 1 1 IN IP4 127.0.0.1
s=-
c=IN IP4 127.0.0.1
c=IN IP6 ::1
c=IN IP4 224.0.0.1/127
t=0 0
m=audio 4000 RTP/AVP 8 0 101
m=audio 0 RTP/AVP 8
m=audio 99999 RTP/AVP 8
m=audio 4000/2 RTP/AVP 300
m=video 1 RTP/AVP 31
a=sendonly
a=inactive
a=rtpmap:8 PCMA/8000
a=rtpmap:101 telephone-event/8000
a=rtcp:53020 IN IP4 10.0.0.1
a=ptime:0
a=fmtp:101 0-15
a=
=
zz`.split('\n')
const extraHeaders = `Require: 100rel
Supported: timer
Session-Expires: 90;refresher=uac
Min-SE: 5
Expires: 0
Record-Route: <sip:a;lr>, <sip:b>
Route: <sip:127.0.0.1;lr>
Replaces: a;to-tag=b;from-tag=c
Path: <sip:p;lr>
Reason: Q.850;cause=16;text="x"
Content-Encoding: gzip
Timestamp: 1
RAck: 1 1 X
Contact: *
X-Long: ${'x'.repeat(9_000)}
P-Asserted-Identity: <tel:+1>
Privacy: id
: empty
broken`.split('\n')

/** `peer`: where the sender listens, and what it has received, so that some messages belong to real dialogs. */
export type FuzzPeer = { address: string; port: number; transport: string; received: readonly string[] }

export function createMessageWriter(random: SeededRandom) {
  const { below, pick } = random
  const corpus = [...torture.values()]
  const chance = (share: number) => random.next() < share
  const any = (items: readonly string[]) => pick(items) ?? ''
  let written = 0

  /** Most parts are valid, so that most messages get far. */
  const host = () => (chance(0.9) ? any(['bench.test', '127.0.0.1', '127.0.0.9:5060']) : any(hosts))
  const user = () => (chance(0.9) ? any(['1000', '1001', '5548999998888']) : any(users))

  function uri(): string {
    if (chance(0.8)) return `sip:${user()}@${host()}`
    const scheme = any(['sip:', 'sip:', 'sip:', 'sips:', 'tel:', 'http://', ''])
    return `${scheme}${chance(0.8) ? `${user()}@` : ''}${host()}${any(uriParams)}`
  }

  function address(named: string): string {
    if (chance(0.9)) return `<sip:${named}@bench.test>;tag=${below(50)}`
    return any([`"${user()}" <${uri()}>;tag=${below(9)}`, uri(), '<', `${uri()};tag=`, '"a\\" <sip:b>'])
  }

  function body(): string {
    if (chance(0.5)) return ''
    if (chance(0.5)) return `${sdpLines.filter(() => chance(0.5)).join('\r\n')}\r\n`
    const described = ['v=0', 'o=- 1 1 IN IP4 127.0.0.1', 's=-', 'c=IN IP4 127.0.0.1', 't=0 0']
    return `${[...described, 'm=audio 4000 RTP/AVP 8 101', any(sdpLines)].join('\r\n')}\r\n`
  }

  function authorization(): string {
    const params = ['username="1000"', 'realm="bench.test"', `nonce="${below(9)}"`, 'uri="sip:bench.test"']
    const rest = ['response="0"', 'qop=auth', 'nc=00000001', 'cnonce="c"', 'algorithm=MD5', 'opaque="\\""']
    const shown = [...params, ...rest].filter(() => chance(0.8)).join(any([', ', ',', ',,', ' ']))
    return `${any(['Authorization', 'Proxy-Authorization'])}: Digest ${shown}`
  }

  function request({ address: at, port, transport, received }: FuzzPeer): string {
    written += 1
    const method = chance(0.8) ? any(usualMethods) : any(methods)
    const known = chance(0.3) ? any(received) : ''
    const content = body()
    const to = chance(0.5) ? headerIn(known, 'From') : headerIn(known, 'To')
    return [
      `${method} ${uri()} ${chance(0.98) ? 'SIP/2.0' : any(['SIP/3.0', 'HTTP/1.1', 'sip/2.0', ''])}`,
      `Via: SIP/2.0/${transport} ${chance(0.97) ? `${at}:${port}` : host()};branch=z9hG4bK${below(500)}x${written};rport`,
      `From: ${(chance(0.5) ? headerIn(known, 'To') : headerIn(known, 'From')) || address('1000')}`,
      `To: ${to || (chance(0.8) ? '<sip:1001@bench.test>' : address('1001'))}`,
      `Call-ID: ${headerIn(known, 'Call-ID') || `fuzz-${below(2_000)}`}`,
      `CSeq: ${chance(0.95) ? below(9) : any(numbers)} ${chance(0.97) ? method : any(methods)}`,
      `Max-Forwards: ${chance(0.95) ? '70' : any(numbers)}`,
      `Contact: <sip:f@${at}:${port}>${chance(0.1) ? `;expires=${any(numbers)}` : ''}`,
      ...(chance(0.3) ? [authorization()] : []),
      ...extraHeaders.filter(() => chance(0.01)),
      ...(content
        ? [`Content-Type: ${chance(0.9) ? 'application/sdp' : any(['text/plain', 'multipart/mixed', ''])}`]
        : []),
      `Content-Length: ${chance(0.95) ? Buffer.byteLength(content) : any(numbers)}`,
      '',
      content,
    ].join('\r\n')
  }

  /** A response to a request that came from the engine. */
  function response(to: string): string {
    const status = any([
      '100',
      '180',
      '183',
      '200',
      '200',
      '302',
      '401',
      '407',
      '422',
      '486',
      '491',
      '503',
      '099',
      '700',
    ])
    const content = body()
    return [
      `SIP/2.0 ${status} ${any(['OK', '', 'x'.repeat(500)])}`,
      ...to.split('\r\n').filter((line) => /^(Via|From|Call-ID|CSeq|Record-Route):/.test(line)),
      `To: ${headerIn(to, 'To')}${headerIn(to, 'To').includes('tag=') ? '' : `;tag=${below(5)}`}`,
      `Contact: <${chance(0.9) ? 'sip:f@127.0.0.1' : uri()}>`,
      ...(chance(0.2) ? ['WWW-Authenticate: Digest realm="a", nonce="b", qop="auth"'] : []),
      ...extraHeaders.filter(() => chance(0.01)),
      ...(content ? ['Content-Type: application/sdp'] : []),
      `Content-Length: ${Buffer.byteLength(content)}`,
      '',
      content,
    ].join('\r\n')
  }

  /** Bits flipped, bytes inserted, removed and repeated, the message cut or joined with another. */
  function mutate(message: Buffer): Buffer {
    let bytes = Buffer.from(message)
    for (let times = 1 + below(4); times > 0 && bytes.length > 0; times -= 1) {
      const at = below(bytes.length)
      const length = 1 + below(Math.min(40, bytes.length - at))
      const kind = below(6)
      if (kind <= 1) bytes[at] = (bytes[at] ?? 0) ^ (1 << below(8))
      else if (kind === 2) bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + length)])
      else if (kind === 3) {
        const piece = Buffer.from(
          any([...numbers, '\r\n', '\r\n\r\n', '\0', ',', ';', '"', '<>', '\u00ff', ' \t']),
        )
        bytes = Buffer.concat([bytes.subarray(0, at), piece, bytes.subarray(at)])
      } else if (kind === 4) {
        const repeated = Array.from({ length: 1 + below(20) }, () => bytes.subarray(at, at + length))
        bytes = Buffer.concat([bytes.subarray(0, at), ...repeated, bytes.subarray(at)])
      } else bytes = Buffer.concat([bytes.subarray(0, at), (pick(corpus) ?? bytes).subarray(below(100))])
    }
    return bytes.subarray(0, 60_000)
  }

  /** The next message, in answer to what was received last if that was a request. */
  function write(peer: FuzzPeer): Buffer {
    const asked = chance(0.5) ? peer.received.findLast((text) => /^[A-Z]+ sip/.test(text)) : undefined
    const message = chance(0.1)
      ? (pick(corpus) ?? Buffer.alloc(0))
      : Buffer.from(asked ? response(asked) : request(peer))
    return chance(0.4) ? mutate(message) : message
  }

  return write
}

function headerIn(message: string, name: string): string {
  return new RegExp(`^${name}: (.*)$`, 'm').exec(message)?.[1]?.trim() ?? ''
}
