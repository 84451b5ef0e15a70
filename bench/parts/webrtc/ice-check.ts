/** A connectivity check of ICE (RFC 8445, 7.2.4), as a browser sends it: it nominates at once. */
import { createHmac, randomBytes } from 'node:crypto'
import type { IceCredentials } from '../../../src/media/ice/ice-lite.ts'

const magicCookie = 0x2112_a442
const attribute = { username: 0x0006, messageIntegrity: 0x0008, priority: 0x0024, useCandidate: 0x0025 }

export function iceCheck({ ufrag, password }: IceCredentials, ours: string): Buffer {
  const head = Buffer.alloc(20)
  head.writeUInt16BE(0x0001, 0)
  head.writeUInt32BE(magicCookie, 4)
  randomBytes(12).copy(head, 8)
  const body = Buffer.concat([
    attributeOf(attribute.username, Buffer.from(`${ufrag}:${ours}`)),
    attributeOf(attribute.priority, Buffer.from([0x6e, 0, 1, 0xff])),
    attributeOf(attribute.useCandidate, Buffer.alloc(0)),
  ])
  head.writeUInt16BE(body.length + 24, 2)
  const integrity = createHmac('sha1', password).update(head).update(body).digest()
  return Buffer.concat([head, body, attributeOf(attribute.messageIntegrity, integrity)])
}

function attributeOf(type: number, value: Buffer): Buffer {
  const whole = Buffer.alloc(4 + Math.ceil(value.length / 4) * 4)
  whole.writeUInt16BE(type, 0)
  whole.writeUInt16BE(value.length, 2)
  value.copy(whole, 4)
  return whole
}
