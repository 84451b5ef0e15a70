import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { programMissing } from '../../../test/helpers/programs/programs.ts'
import { writePcap } from './pcap.ts'

const bye = 'BYE sip:1000@192.0.2.7:5062 SIP/2.0\r\nCall-ID: a\r\nContent-Length: 0\r\n\r\n'
const ours = { address: '198.51.100.4', port: 5060 }
const phone = { address: '192.0.2.7', port: 5062 }
const at = new Date('2026-11-18T12:00:00.250Z')

/** Lines that tcpdump prints of the packets; it checks lengths and checksums. */
function readByTcpdump(file: Buffer): string {
  const folder = mkdtempSync(join(tmpdir(), 'ramal-pcap-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'call.pcap')
  writeFileSync(path, file)
  return execFileSync('tcpdump', ['-n', '-vv', '-tt', '-r', path], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
}

test.skipIf(programMissing('tcpdump'))('tcpdump reads each message as a valid UDP packet with SIP', () => {
  const text = readByTcpdump(
    writePcap([
      { at, direction: 'sent', local: ours, remote: phone, text: bye },
      { at, direction: 'received', local: ours, remote: phone, text: 'SIP/2.0 200 OK\r\n\r\n' },
    ]),
  )
  expect(text).toMatch(/^1795003200\.250000 IP \(.*proto UDP/m)
  expect(text).toMatch(/198\.51\.100\.4\.5060 > 192\.0\.2\.7\.5062: .*SIP/)
  expect(text).toMatch(/192\.0\.2\.7\.5062 > 198\.51\.100\.4\.5060: .*SIP/)
  expect(text).toContain('BYE sip:1000@192.0.2.7:5062 SIP/2.0')
  expect(text.match(/udp sum ok/g)).toHaveLength(2)
  expect(text).not.toMatch(/bad|truncated|invalid/)
})

test.skipIf(programMissing('tcpdump'))('IPv6, also with an IPv4 address at the other end', () => {
  const text = readByTcpdump(
    writePcap([
      {
        at,
        direction: 'sent',
        local: { address: '2001:db8::1', port: 5060 },
        remote: { address: '2001:db8:0:1::', port: 5060 },
        text: bye,
      },
      { at, direction: 'sent', local: { address: '::', port: 5060 }, remote: phone, text: bye },
    ]),
  )
  expect(text).toMatch(/IP6 .*2001:db8::1\.5060 > 2001:db8:0:1::\.5060: .*SIP/)
  expect(text).toMatch(/IP6 .*::\.5060 > ::ffff:192\.0\.2\.7\.5062/)
  expect(text).not.toMatch(/bad|truncated|invalid/)
})

test('a message that is larger than a packet is cut at its end', () => {
  const file = writePcap([{ at, direction: 'sent', local: ours, remote: phone, text: 'x'.repeat(70_000) }])
  expect(file.readUInt32LE(24 + 8)).toBe(65_535)
})
