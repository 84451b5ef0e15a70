import { expect, test } from 'vitest'
import { readWebhookUrl } from './webhook-url.ts'

test.each([
  ['https://crm.example', 'https://crm.example', '/'],
  ['https://crm.example?a=1', 'https://crm.example', '/?a=1'],
  ['HTTPS://CRM.Example:8443/A', 'https://crm.example:8443', '/A'],
  ['http://crm.example/a/../b//c?x=%7e&y=~#part', 'http://crm.example', '/a/../b//c?x=%7e&y=~'],
  ['http://crm.example/{id}?a|b="c"', 'http://crm.example', '/{id}?a|b="c"'],
  ['http://crm.example/ação', 'http://crm.example', '/a%C3%A7%C3%A3o'],
  ['http://crm.example/😀', 'http://crm.example', '/%F0%9F%98%80'],
  [' http://crm.example/x ', 'http://crm.example', '/x'],
])('%s: the path is kept byte for byte, where bytes can be sent (D88)', (url, origin, path) => {
  expect(readWebhookUrl(url)).toMatchObject({ origin, path })
})

test.each([
  '',
  'crm.example',
  '//crm.example/',
  'ftp://crm.example/',
  'https:///x',
  'https://',
  'javascript:alert(1)',
  'https://user:pw@crm.example/',
  'https://@crm.example/',
  'http://a b/',
  'http://crm.example/a b',
  'http://crm.example/a\r\nHost: x',
  'http://crm.example\\@10.0.0.1/',
  'http://256.256.256.256/',
  'http://crm.example:99999/',
  `http://crm.example/${'x'.repeat(2048)}`,
])('%j is no URL of a webhook', (url) => {
  expect(readWebhookUrl(url)).toBeUndefined()
})
