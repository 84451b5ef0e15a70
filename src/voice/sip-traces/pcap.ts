/**
 * SIP messages as a capture file (pcap, link type RAW) for Wireshark, tcpdump and sngrep. Every message is one UDP packet,
 * whatever it was carried by: without TCP, TLS and WebSocket around it, programs read it as SIP.
 */
import { isIPv6 } from 'node:net'
import type { TracedMessage } from '../../engine/port.ts'

const linkTypeRaw = 101
const udp = 17
const udpHeaderBytes = 8
/** The largest that fits a packet. */
const maxBytes = 65_507
const hopLimit = 64

type Packed = Pick<TracedMessage, 'at' | 'direction' | 'local' | 'remote' | 'text'>

export function writePcap(messages: readonly Packed[]): Buffer {
  return Buffer.concat([fileHeader(), ...messages.flatMap(writeMessage)])
}

function fileHeader(): Buffer {
  const header = Buffer.alloc(24)
  header.writeUInt32LE(0xa1b2c3d4, 0)
  header.writeUInt16LE(2, 4)
  header.writeUInt16LE(4, 6)
  header.writeUInt32LE(262_144, 16)
  header.writeUInt32LE(linkTypeRaw, 20)
  return header
}

function writeMessage({ at, direction, local, remote, text }: Packed): Buffer[] {
  const [source, destination] = direction === 'sent' ? [local, remote] : [remote, local]
  const isV6 = isIPv6(source.address) || isIPv6(destination.address)
  const addresses = [source, destination].map(({ address }) => addressBytes(address, isV6))
  const payload = Buffer.from(text, 'latin1').subarray(0, maxBytes)
  const datagram = udpDatagram(Buffer.concat(addresses), source.port, destination.port, payload)
  const header = isV6 ? ipv6Header(addresses, datagram.length) : ipv4Header(addresses, datagram.length)
  const length = header.length + datagram.length
  const record = Buffer.alloc(16)
  record.writeUInt32LE(Math.floor(at.getTime() / 1000), 0)
  record.writeUInt32LE((at.getTime() % 1000) * 1000, 4)
  record.writeUInt32LE(length, 8)
  record.writeUInt32LE(length, 12)
  return [record, header, datagram]
}

function ipv4Header(addresses: Buffer[], length: number): Buffer {
  const header = Buffer.alloc(12)
  header.writeUInt8(0x45, 0)
  header.writeUInt16BE(20 + length, 2)
  header.writeUInt8(hopLimit, 8)
  header.writeUInt8(udp, 9)
  const whole = Buffer.concat([header, ...addresses])
  whole.writeUInt16BE(checksum(whole), 10)
  return whole
}

function ipv6Header(addresses: Buffer[], length: number): Buffer {
  const header = Buffer.alloc(8)
  header.writeUInt32BE(0x60000000, 0)
  header.writeUInt16BE(length, 4)
  header.writeUInt8(udp, 6)
  header.writeUInt8(hopLimit, 7)
  return Buffer.concat([header, ...addresses])
}

function udpDatagram(addresses: Buffer, from: number, to: number, payload: Buffer): Buffer {
  const header = Buffer.alloc(udpHeaderBytes)
  const length = udpHeaderBytes + payload.length
  header.writeUInt16BE(from, 0)
  header.writeUInt16BE(to, 2)
  header.writeUInt16BE(length, 4)
  const datagram = Buffer.concat([header, payload])
  // The pseudo-header of RFC 768 and RFC 8200: both addresses, the length, the protocol.
  const pseudo = Buffer.alloc(8)
  pseudo.writeUInt32BE(length, 0)
  pseudo.writeUInt32BE(udp, 4)
  datagram.writeUInt16BE(checksum(Buffer.concat([addresses, pseudo, datagram])) || 0xffff, 6)
  return datagram
}

/** RFC 1071. */
function checksum(bytes: Buffer): number {
  let sum = 0
  for (let at = 0; at < bytes.length; at += 2) sum += ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0)
  while (sum > 0xffff) sum = (sum & 0xffff) + (sum >>> 16)
  return ~sum & 0xffff
}

/** IPv4 beside IPv6 is written as a mapped address (RFC 4291, 2.5.5.2). */
function addressBytes(address: string, isV6: boolean): Buffer {
  if (!isIPv6(address)) {
    const four = Buffer.from(address.split('.').map(Number))
    return isV6 ? Buffer.concat([Buffer.alloc(10), Buffer.from([0xff, 0xff]), four]) : four
  }
  // The URL parser writes an IPv4 address at its end as two groups.
  const [plain = ''] = address.split('%')
  const [before = '', after = ''] = new URL(`http://[${plain}]`).hostname.slice(1, -1).split('::')
  const groups = (text: string) =>
    text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16))
  const [head, tail] = [groups(before), groups(after)]
  const all = [...head, ...Array<number>(8 - head.length - tail.length).fill(0), ...tail]
  const bytes = Buffer.alloc(16)
  for (const [index, group] of all.entries()) bytes.writeUInt16BE(group, 2 * index)
  return bytes
}
