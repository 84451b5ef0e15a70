import { createCipheriv, randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { createVault, fingerprintOf, UnknownKeyError } from './vault.ts'

const key = randomBytes(32)
const vault = createVault(key)

test('what is sealed opens again for the same purpose', () => {
  expect(vault.open('mail', vault.seal('mail', 'olá, João ☎'))).toBe('olá, João ☎')
  expect(vault.open('mail', vault.seal('mail', ''))).toBe('')
})

test('sealing the same text twice gives different bytes', () => {
  expect(vault.seal('mail', 'x')).not.toEqual(vault.seal('mail', 'x'))
})

test('a sealed text does not open for another purpose, or changed', () => {
  const sealed = vault.seal('mail', 'secret')
  expect(() => vault.open('password', sealed)).toThrow()
  sealed[sealed.length - 1] = (sealed[sealed.length - 1] ?? 0) ^ 1
  expect(() => vault.open('mail', sealed)).toThrow()
})

test('a value of a key that the vault does not have says so, and is reported', () => {
  const other = createVault(randomBytes(32))
  let reported = 0
  other.onUnknownKey(() => reported++)
  expect(() => other.open('mail', vault.seal('mail', 'secret'))).toThrow(UnknownKeyError)
  expect(reported).toBe(1)
})

test('a vault with two keys opens what either has sealed, and seals with the one chosen', () => {
  const next = randomBytes(32)
  const both = createVault(key, next)
  const old = vault.seal('mail', 'old')
  expect(both.sealWith(fingerprintOf(next))).toBe(true)
  const fresh = both.seal('mail', 'new')
  expect([both.open('mail', old), both.open('mail', fresh)]).toEqual(['old', 'new'])
  expect(createVault(next).open('mail', fresh)).toBe('new')
  expect(fresh.subarray(0, 12)).toEqual(both.header())
  expect(both.sealWith('0'.repeat(32))).toBe(false)
  expect(both.sealsWith()).toBe(fingerprintOf(next))
})

test('a value sealed before keys had ids opens with whichever key sealed it', () => {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from('mail'))
  const text = Buffer.concat([cipher.update('before'), cipher.final()])
  const sealed = Buffer.concat([nonce, cipher.getAuthTag(), text])
  expect(createVault(randomBytes(32), key).open('mail', sealed)).toBe('before')
  expect(() => createVault(randomBytes(32)).open('mail', sealed)).toThrow()
})

test('a signature is the same for the same text, and for nothing else', () => {
  const signature = vault.sign('link', 'a')
  expect(vault.sign('link', 'a')).toEqual(signature)
  expect(vault.sign('link', 'b')).not.toEqual(signature)
  expect(vault.sign('other', 'a')).not.toEqual(signature)
  expect(createVault(randomBytes(32)).sign('link', 'a')).not.toEqual(signature)
  expect(createVault(randomBytes(32), key).signWithAll('link', 'a')).toContainEqual(signature)
})
