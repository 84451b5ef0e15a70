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
  ['', 'scheme'],
  ['crm.example', 'scheme'],
  ['//crm.example/', 'scheme'],
  ['ftp://crm.example/', 'scheme'],
  ['javascript:alert(1)', 'scheme'],
  ['https:///x', 'host'],
  ['https://', 'host'],
  ['http://256.256.256.256/', 'host'],
  ['http://crm.example:99999/', 'host'],
  ['http://a b/', 'characters'],
  ['http://crm.example/a b', 'characters'],
  ['http://crm.example/a\r\nHost: x', 'characters'],
  ['http://crm.example\\@10.0.0.1/', 'characters'],
  ['https://@crm.example/', 'login'],
  ['https://:pw@crm.example/', 'login'],
  ['https://a%3Ab:pw@crm.example/', 'login'],
  ['https://a%zz:pw@crm.example/', 'login'],
  [`http://crm.example/${'x'.repeat(2048)}`, 'length'],
])('%j is no URL of a webhook: %s', (url, problem) => {
  expect(readWebhookUrl(url)).toEqual({ problem })
})

test.each([
  ['https://ana:s%40nha@crm.example/x', 'ana:s@nha', 'https://ana:***@crm.example/x'],
  ['HTTPS://ana:a:b@CRM.example:8443?a=@1', 'ana:a:b', 'HTTPS://ana:***@CRM.example:8443?a=@1'],
  ['https://a@b:pw@crm.example/', 'a@b:pw', 'https://a@b:***@crm.example/'],
  ['https://api-key@crm.example/', 'api-key:', 'https://***@crm.example/'],
  ['https://ana:@crm.example/', 'ana:', 'https://ana:***@crm.example/'],
])('%s: user and password are taken out, and shown masked (D151)', (url, login, shown) => {
  const target = readWebhookUrl(url)
  expect(target).toMatchObject({ login, shown, isMasked: false })
  const { url: bare } = target as { url: string }
  expect(bare).not.toContain(login.split(':')[0])
  expect(readWebhookUrl(shown)).toMatchObject({ url: bare, login: undefined, isMasked: true })
})
