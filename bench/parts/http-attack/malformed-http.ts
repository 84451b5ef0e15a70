/** Bytes that are no proper HTTP, from a seed: requests with a broken frame, changed bytes, other protocols. */
import type { SeededRandom } from '../crash/seeded-random.ts'
import { createHostileValues } from './hostile-values.ts'
import type { FuzzRequest } from './request-writer.ts'

const lengths = ['-1', '+5', '0x5', '1e3', '99999999999999999999', ' ', '5, 5', '5, 6', '4.0', '5 ']
const codings = [
  'gzip, chunked',
  'chunked, chunked',
  'identity',
  'xchunked',
  'chunked\t',
  ',chunked',
  'Chunked;q=1',
]
const chunks = [
  '-1\r\nx\r\n',
  'ffffffffffffffff\r\nx',
  '5\r\nabc',
  'g\r\n',
  '\r\n',
  `1${';e'.repeat(9_000)}\r\nx\r\n0\r\n\r\n`,
]
const versions = ['HTTP/0.9', 'HTTP/1.0', 'HTTP/2.0', 'HTTP/9.9', 'http/1.1', 'HTTP/1.1 x', 'ICY', '']
const targets = [
  '*',
  'http://evil.example/api/v1/users/me',
  'evil.example:443',
  '/ /',
  '',
  '\0',
  'a'.repeat(90_000),
]
const lines = [
  'X: a\r\n\tfolded',
  ': empty',
  'No colon',
  'Bad Name: a',
  'X: a\0b',
  'X: a\rb',
  'Host: second',
  'Transfer-Encoding: chunked',
  'Expect: 200-maybe',
  'Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: x\r\nSec-WebSocket-Version: 13',
  'Content-Length: 3\r\nContent-Length: 4',
  `X: ${'y'.repeat(90_000)}`,
  'X-Many: 1\r\n'.repeat(3_000).trim(),
]
const protocols = [
  Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0'),
  Buffer.from('160301020001000', 'hex'),
  Buffer.from('OPTIONS sip:a SIP/2.0\r\nVia: SIP/2.0/TCP a\r\n\r\n'),
  Buffer.from('\n\n\n\r\n'),
  Buffer.from('CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n'),
  Buffer.alloc(5_000),
  Buffer.from('GET'),
]

export function createMalformedWriter(random: SeededRandom) {
  const { below, pick } = random
  const { any } = createHostileValues(random)

  /** `request` is well formed. */
  return function malform(request: FuzzRequest): Buffer {
    const { head, body } = request
    const [first = '', ...rest] = head
    const [method, target] = first.split(' ')
    switch (below(9)) {
      case 0:
        return framed([...head, `Content-Length: ${any(lengths)}`], body)
      case 1:
        return framed([...head, `Transfer-Encoding: ${any(codings)}`], body)
      case 2:
        return framed([...head, 'Transfer-Encoding: chunked'], Buffer.from(any(chunks)))
      case 3:
        return framed([...head, any(lines), `Content-Length: ${body.length}`], body)
      case 4:
        return framed([`${method} ${target} ${any(versions)}`, ...rest], body)
      case 5:
        return framed([`${method} ${any(targets)} HTTP/1.1`, ...rest], body)
      case 6:
        return request.bytes.subarray(0, below(request.bytes.length))
      case 7:
        return pick(protocols) ?? body
      default:
        return changeBytes(request.bytes)
    }
  }

  function changeBytes(bytes: Buffer): Buffer {
    const changed = Buffer.from(bytes)
    // The head, where the parser of the server works.
    for (let times = 1 + below(5); times > 0; times -= 1)
      changed[below(Math.min(400, bytes.length))] = below(256)
    return changed
  }
}

const framed = (head: string[], body: Buffer) =>
  Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`, 'latin1'), body])
