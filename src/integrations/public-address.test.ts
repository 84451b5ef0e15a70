import { expect, test } from 'vitest'
import { isPublicAddress, mayBePublicHost } from './public-address.ts'
import { readWebhookUrl } from './webhook-url.ts'

test.each([
  '8.8.8.8',
  '200.160.2.3',
  '172.15.0.1',
  '172.32.0.1',
  '100.63.0.1',
  '2001:4860:4860::8888',
  '2a00:1450::1',
])('%s is of the public network', (address) => {
  expect(isPublicAddress(address)).toBe(true)
})

test.each([
  '0.0.0.0',
  '10.0.0.1',
  '100.64.0.1',
  '127.0.0.1',
  '127.255.255.254',
  '169.254.169.254',
  '169.254.170.2',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.1',
  '192.0.2.1',
  '192.168.1.1',
  '198.18.0.1',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '239.255.255.255',
  '240.0.0.1',
  '255.255.255.255',
  '100.100.100.200',
  '168.63.129.16',
  '::',
  '::1',
  'fc00::1',
  'fd00:ec2::254',
  'fe80::1',
  'fec0::1',
  'ff02::1',
  '100::1',
  '64:ff9b::7f00:1',
  '64:ff9b::808:808',
  '2001:db8::1',
  '2002:7f00:1::',
  '2001::1',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '::ffff:10.0.0.1',
  '::ffff:169.254.169.254',
  '::127.0.0.1',
  'localhost',
  '',
])('%s is not', (address) => {
  expect(isPublicAddress(address)).toBe(false)
})

test.each([
  '127.0.0.1',
  '127.1',
  '127.0.1',
  '2130706433',
  '0x7f000001',
  '0x7f.1',
  '0177.0.0.1',
  '017700000001',
  '127.0.0.1.',
  '0',
  '0.0.0.0',
  '①②⑦.⓪.⓪.①',
  '[::1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::]',
  '[0:0:0:0:0:0:0:1]',
  'localhost',
  'LOCALHOST',
  'localhost.',
  'x.localhost',
  'db.internal',
  'nas.local',
  '169.254.169.254',
  '0xa9fea9fe',
  '2852039166',
  'metadata.google.internal',
  '[fd00:ec2::254]',
])('however it is spelled, http://%s/ is inside (D88)', (host) => {
  const target = readWebhookUrl(`http://${host}/`)
  // What is no host at all is as good as refused.
  expect('problem' in target || !mayBePublicHost(target.hostname)).toBe(true)
})

test('a name of the public network may lead anywhere: it is asked when connecting', () => {
  expect(mayBePublicHost('crm.example')).toBe(true)
})
