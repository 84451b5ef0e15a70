/** STUN binding requests and their responses (RFC 8489), as ICE uses them. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { isIPv6 } from 'node:net'
import { crc32 } from 'node:zlib'
import { addressOctets } from './address-octets.ts'

const magicCookie = 0x2112_a442
const headerLength = 20
const bindingRequest = 0x0001
const bindingResponse = 0x0101
const bindingError = 0x0111

const attribute = {
  username: 0x0006,
  messageIntegrity: 0x0008,
  errorCode: 0x0009,
  xorMappedAddress: 0x0020,
  useCandidate: 0x0025,
  fingerprint: 0x8028,
  iceControlled: 0x8029,
} as const

const integrityLength = 20
const fingerprintXor = 0x5354_554e

export type BindingRequest = {
  username: string
  /** The sender has chosen the address it came from. */
  isNominating: boolean
  /** The sender also believes to be controlled. */
  isControlled: boolean
}

type Attribute = { type: number; start: number; end: number }

/** Whether a datagram is STUN rather than DTLS or RTP (RFC 7983), by its first octet and the cookie. */
export function isStun(packet: Buffer): boolean {
  return packet.length >= headerLength && packet.readUInt8(0) < 4 && packet.readUInt32BE(4) === magicCookie
}

/** Undefined unless it is a complete binding request whose integrity the password proves. */
export function readBindingRequest(packet: Buffer, password: string): BindingRequest | undefined {
  if (!isStun(packet) || packet.readUInt16BE(0) !== bindingRequest) return undefined
  const attributes = readAttributes(packet)
  const integrity = attributes?.find(({ type }) => type === attribute.messageIntegrity)
  if (!attributes || !integrity || !isIntact(packet, integrity, password)) return undefined
  // What follows the integrity is not protected by it.
  const proven = attributes.filter(({ start }) => start < integrity.start)
  const find = (type: number) => proven.find((one) => one.type === type)
  const username = find(attribute.username)
  if (!username) return undefined
  return {
    username: packet.toString('utf8', username.start, username.end),
    isNominating: find(attribute.useCandidate) !== undefined,
    isControlled: find(attribute.iceControlled) !== undefined,
  }
}

/** Undefined if the attributes do not fill the packet exactly. */
function readAttributes(packet: Buffer): Attribute[] | undefined {
  if (packet.readUInt16BE(2) !== packet.length - headerLength) return undefined
  const attributes: Attribute[] = []
  for (let at = headerLength; at < packet.length; ) {
    if (at + 4 > packet.length) return undefined
    const start = at + 4
    const end = start + packet.readUInt16BE(at + 2)
    if (end > packet.length) return undefined
    attributes.push({ type: packet.readUInt16BE(at), start, end })
    at = start + Math.ceil((end - start) / 4) * 4
  }
  return attributes
}

/** The integrity counts as if the message ended with it. */
function isIntact(packet: Buffer, { start, end }: Attribute, password: string): boolean {
  if (end - start !== integrityLength) return false
  const covered = Buffer.from(packet.subarray(0, start - 4))
  covered.writeUInt16BE(end - headerLength, 2)
  return timingSafeEqual(createHmac('sha1', password).update(covered).digest(), packet.subarray(start, end))
}

/** The response to a request that was read: the address it came from. */
export function bindingResponseTo(request: Buffer, address: string, port: number, password: string): Buffer {
  return message(bindingResponse, request, [xorMappedAddress(request, address, port)], password)
}

/** RFC 8445, 7.3.1.1: both sides believe to be controlled; the sender changes its role. */
export function roleConflictTo(request: Buffer, password: string): Buffer {
  const value = Buffer.concat([Buffer.from([0, 0, 4, 87]), Buffer.from('Role Conflict')])
  return message(bindingError, request, [attributeOf(attribute.errorCode, value)], password)
}

function message(type: number, request: Buffer, attributes: Buffer[], password: string): Buffer {
  const head = Buffer.alloc(headerLength)
  head.writeUInt16BE(type, 0)
  request.copy(head, 4, 4, headerLength)
  const body = Buffer.concat(attributes)
  head.writeUInt16BE(body.length + 4 + integrityLength, 2)
  const integrity = createHmac('sha1', password).update(head).update(body).digest()
  const signed = Buffer.concat([head, body, attributeOf(attribute.messageIntegrity, integrity)])
  signed.writeUInt16BE(signed.length - headerLength + 8, 2)
  const fingerprint = Buffer.alloc(4)
  fingerprint.writeUInt32BE((crc32(signed) ^ fingerprintXor) >>> 0)
  return Buffer.concat([signed, attributeOf(attribute.fingerprint, fingerprint)])
}

function attributeOf(type: number, value: Buffer): Buffer {
  const whole = Buffer.alloc(4 + Math.ceil(value.length / 4) * 4)
  whole.writeUInt16BE(type, 0)
  whole.writeUInt16BE(value.length, 2)
  value.copy(whole, 4)
  return whole
}

/** The address, combined with the cookie and the transaction id so that no NAT box rewrites it. */
function xorMappedAddress(request: Buffer, address: string, port: number): Buffer {
  const octets = addressOctets(address)
  const value = Buffer.alloc(4 + octets.length)
  value.writeUInt8(isIPv6(address) ? 2 : 1, 1)
  value.writeUInt16BE(port ^ (magicCookie >>> 16), 2)
  for (const [at, octet] of octets.entries()) value[4 + at] = octet ^ request.readUInt8(4 + at)
  return attributeOf(attribute.xorMappedAddress, value)
}
