import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { createVault } from './vault.ts'

const vault = createVault(randomBytes(32))

test('what is sealed opens again for the same purpose', () => {
  expect(vault.open('mail', vault.seal('mail', 'olá, João ☎'))).toBe('olá, João ☎')
})

test('sealing the same text twice gives different bytes', () => {
  expect(vault.seal('mail', 'x')).not.toEqual(vault.seal('mail', 'x'))
})

test('a sealed text does not open for another purpose, with another key, or changed', () => {
  const sealed = vault.seal('mail', 'secret')
  expect(() => vault.open('password', sealed)).toThrow()
  expect(() => createVault(randomBytes(32)).open('mail', sealed)).toThrow()
  sealed[sealed.length - 1] = (sealed[sealed.length - 1] ?? 0) ^ 1
  expect(() => vault.open('mail', sealed)).toThrow()
})

test('a signature is the same for the same text, and for nothing else', () => {
  const signature = vault.sign('link', 'a')
  expect(vault.sign('link', 'a')).toEqual(signature)
  expect(vault.sign('link', 'b')).not.toEqual(signature)
  expect(vault.sign('other', 'a')).not.toEqual(signature)
  expect(createVault(randomBytes(32)).sign('link', 'a')).not.toEqual(signature)
})
