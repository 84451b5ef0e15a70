import { expect, test } from 'vitest'
import { canonicalEmail, readEmail } from './email.ts'

test('an address is kept in lower case without the spaces around it', () => {
  expect(readEmail(' Ana.Souza+crm@Example.COM.br ')).toBe('ana.souza+crm@example.com.br')
})

test.each([
  '',
  'ana',
  'ana@',
  '@example.com',
  'ana@example',
  'a b@example.com',
  'ana@ex_ample.com',
  'ana@-x.com',
])('%j is no address', (text) => {
  expect(readEmail(text)).toBeUndefined()
})

test('an address longer than mail allows is none', () => {
  expect(
    readEmail(
      `ana@${'a'.repeat(60)}.${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.${'e'.repeat(20)}`,
    ),
  ).toBeUndefined()
})

test.each([
  ['farm+1@evil.example', 'farm@evil.example'],
  ['farm+1+2@evil.example', 'farm@evil.example'],
  ['First.Last+x@GoogleMail.com', 'firstlast@gmail.com'],
  ['first.last@evil.example', 'first.last@evil.example'],
])('the mailbox of %s is %s', (email, mailbox) => {
  expect(canonicalEmail(email)).toBe(mailbox)
})
