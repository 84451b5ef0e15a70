import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { addressOctets } from './address-octets.ts'
import { createIceCredentials, createIceLite } from './ice-lite.ts'
import { bindingResponseTo, isStun, readBindingRequest } from './stun.ts'

const hex = (text: string) => Buffer.from(text.replaceAll(/\s/g, ''), 'hex')

/** RFC 5769, 2.1. */
const sampleRequest = hex(`000100582112a442b7e7a701bc34d686fa87dfae
  802200105354554e207465737420636c69656e74 002400046e0001ff 80290008932ff9b151263b36
  0006000965 76746a3a68367659202020 000800149aeaa70cbfd8cb56781ef2b5b2d3f249c1b571a2 80280004e57a3bcf`)
const samplePassword = 'VOkJxbRl1RmTxUk/WvJxBt'

const local = createIceCredentials()
const remoteUfrag = 'peer'

/** A check as a browser sends it. */
function check({ username = `${local.ufrag}:${remoteUfrag}`, password = local.password, nominates = false }) {
  const name = Buffer.from(username)
  const padded = Buffer.alloc(Math.ceil(name.length / 4) * 4)
  name.copy(padded)
  const attributes = [hex('0006'), Buffer.from([0, name.length]), padded]
  if (nominates) attributes.push(hex('00250000'))
  const body = Buffer.concat(attributes)
  const head = hex('000100002112a442000102030405060708090a0b')
  head.writeUInt16BE(body.length + 24, 2)
  const integrity = createHmac('sha1', password).update(head).update(body).digest()
  return Buffer.concat([head, body, hex('00080014'), integrity])
}

function open() {
  const ice = createIceLite()
  ice.expect(local, remoteUfrag)
  return ice
}

test('the request of RFC 5769 is read with its password, and with no other', () => {
  expect(isStun(sampleRequest)).toBe(true)
  expect(readBindingRequest(sampleRequest, samplePassword)).toEqual({
    username: 'evtj:h6vY',
    isNominating: false,
    isControlled: true,
  })
  expect(readBindingRequest(sampleRequest, 'another')).toBeUndefined()
})

test('a request that is cut or changed anywhere is refused', () => {
  for (let at = 0; at < sampleRequest.length - 8; at += 1) {
    const changed = Buffer.from(sampleRequest)
    changed[at] = (changed[at] ?? 0) ^ 0xff
    expect(readBindingRequest(changed, samplePassword)).toBeUndefined()
    expect(readBindingRequest(sampleRequest.subarray(0, at), samplePassword)).toBeUndefined()
  }
})

test('the response names the address as RFC 5769 does, for both families', () => {
  const four = bindingResponseTo(sampleRequest, '192.0.2.1', 32_853, samplePassword)
  expect(four.includes(hex('002000080001a147e112a643'))).toBe(true)
  const six = bindingResponseTo(sampleRequest, '2001:db8:1234:5678:11:2233:4455:6677', 32_853, samplePassword)
  expect(six.includes(hex('002000140002a1470113a9faa5d3f179bc25f4b5bed2b9d9'))).toBe(true)
})

test('addresses are written in octets, in every notation', () => {
  expect(addressOctets('192.0.2.1')).toEqual([192, 0, 2, 1])
  expect(addressOctets('::1')).toEqual([...Array(15).fill(0), 1])
  expect(addressOctets('::ffff:192.0.2.1')).toEqual([...Array(10).fill(0), 255, 255, 192, 0, 2, 1])
  expect(addressOctets('fe80::1%eth0').slice(0, 2)).toEqual([0xfe, 0x80])
})

test('an address is used once a check has proven it; one that nominates stays', () => {
  const ice = open()
  expect(ice.selected(0)).toBeUndefined()
  expect(ice.answerCheck(check({ password: 'guessed' }), '192.0.2.9', 9, 0)).toBeUndefined()
  expect(ice.answerCheck(check({ username: 'x:y' }), '192.0.2.9', 9, 0)).toBeUndefined()
  expect(ice.isChecked('192.0.2.9', 9)).toBe(false)
  expect(ice.answerCheck(check({}), '192.0.2.1', 1, 0)).toBeDefined()
  expect(ice.selected(0)).toEqual({ address: '192.0.2.1', port: 1 })
  ice.answerCheck(check({ nominates: true }), '192.0.2.2', 2, 0)
  ice.answerCheck(check({}), '192.0.2.1', 1, 0)
  expect(ice.selected(0)).toEqual({ address: '192.0.2.2', port: 2 })
})

test('of several addresses that are nominated, the one is used that packets come from, until a restart', () => {
  const ice = open()
  ice.answerCheck(check({ nominates: true }), '192.0.2.1', 1, 0)
  ice.answerCheck(check({ nominates: true }), '192.0.2.2', 2, 0)
  ice.use('192.0.2.1', 1)
  ice.answerCheck(check({ nominates: true }), '192.0.2.3', 3, 0)
  expect(ice.selected(0)).toEqual({ address: '192.0.2.1', port: 1 })
  ice.use('192.0.2.3', 3)
  expect(ice.selected(0)).toEqual({ address: '192.0.2.3', port: 3 })
  const renewed = createIceCredentials()
  ice.expect(renewed, 'again')
  const fresh = { username: `${renewed.ufrag}:again`, password: renewed.password }
  ice.answerCheck(check({ ...fresh, nominates: true }), '192.0.2.2', 2, 0)
  expect(ice.selected(0)).toEqual({ address: '192.0.2.2', port: 2 })
})

test('without a check for 30 s there is no consent, until the next one', () => {
  const ice = open()
  ice.answerCheck(check({ nominates: true }), '192.0.2.1', 1, 0)
  expect(ice.selected(29_999)).toBeDefined()
  expect(ice.selected(30_000)).toBeUndefined()
  ice.answerCheck(check({}), '192.0.2.1', 1, 31_000)
  expect(ice.selected(31_000)).toEqual({ address: '192.0.2.1', port: 1 })
})

test('after a restart the old credentials count until the first check with the new ones', () => {
  const ice = open()
  const renewed = createIceCredentials()
  ice.answerCheck(check({ nominates: true }), '192.0.2.1', 1, 0)
  ice.expect(renewed, 'again')
  expect(ice.answerCheck(check({}), '192.0.2.1', 1, 1)).toBeDefined()
  const fresh = { username: `${renewed.ufrag}:again`, password: renewed.password }
  ice.answerCheck(check({ ...fresh, nominates: true }), '192.0.2.2', 2, 2)
  expect(ice.selected(2)).toEqual({ address: '192.0.2.2', port: 2 })
  expect(ice.answerCheck(check({}), '192.0.2.1', 1, 3)).toBeUndefined()
})
