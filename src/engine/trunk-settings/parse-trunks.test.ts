import { expect, test } from 'vitest'
import { parseTrunks } from './parse-trunks.ts'
import { TrunksRefusal } from './read-fields.ts'

const least = { name: 'main', address: 'sip:carrier.example' }
const parse = (...trunks: unknown[]) => parseTrunks(JSON.stringify(trunks))

test('a name and an address are enough', () => {
  expect(parse(least)).toMatchObject([
    {
      name: 'main',
      address: 'sip:carrier.example',
      transport: 'udp',
      login: undefined,
      format: 'e164',
      priority: 1,
      codecs: ['PCMA', 'PCMU'],
      register: false,
    },
  ])
  expect(parse()).toEqual([])
})

test.each([
  ['sip:carrier.example;transport=TCP', 'tcp'],
  ['sip:carrier.example;transport=tls', 'tls'],
  ['sips:carrier.example', 'tls'],
  ['sip:203.0.113.7:5070', 'udp'],
])('%s is reached by %s', (address, transport) => {
  expect(parse({ ...least, address })[0]).toMatchObject({ transport })
})

test.each([
  [{ address: 'carrier.example' }, 'a SIP address'],
  [{ address: 'sip:carrier.example;transport=ws' }, 'udp, tcp or tls'],
  [{ address: 'sip:user@carrier.example' }, 'a SIP address'],
  [{ nodes: ['node-a'] }, 'addresses of nodes such as 192.0.2.10'],
  [{ name: 'two words' }, 'whose name must be up to 32 letters'],
  [{ name: undefined }, 'a trunk (number 1) without name'],
  [{ trust: ['203.0.113.0/33'] }, 'addresses or networks'],
  [{ format: 'E164' }, 'one of e164-plus, e164, national'],
  [{ callerId: '12' }, 'a telephone number'],
  [{ services: [190] }, 'a list of short numbers such as 190'],
  [{ services: ['19'] }, 'a list of short numbers such as 190'],
  [{ channels: 0 }, 'channels must be a whole number from 1'],
  [{ channels: '30' }, 'channels must be a whole number from 1'],
  [{ codecs: [] }, 'each once at most'],
  [{ codecs: ['G729'] }, 'a list of PCMA and PCMU'],
  [{ chanels: 3 }, 'an unknown field; those known are name, address'],
  [{ username: 'u' }, 'only one of username and password'],
  [{ register: true }, 'to register without a username'],
  [{ from: 'username' }, 'without a username'],
])('%j is refused in words', (more, words) => {
  expect(() => parse({ ...least, ...more })).toThrow(TrunksRefusal)
  expect(() => parse({ ...least, ...more })).toThrow(words)
})

test('two trunks have two names', () => {
  expect(() => parse(least, least)).toThrow('has two trunks called "main"')
})

test.each(['{}', '"sip:carrier.example"', '[1]', '[null]', '[[]]'])('%s is no list of trunks', (text) => {
  expect(() => parseTrunks(text)).toThrow('must be a JSON array of trunks')
})

test('no refusal repeats a secret', () => {
  const secret = 'correct-horse'
  const broken = [
    `[{"name":"main","password":"${secret}"`,
    `[{"name":"main","address":"sip:a.example","password":"${secret}"}]`,
    `[{"name":"main","address":"sip:a.example","username":"u","password":"${secret}\\u00e9"}]`,
    `[{"name":"main","address":"sip:a.example","${secret}":1}]`,
  ]
  for (const text of broken) {
    let refusal: unknown
    try {
      parseTrunks(text)
    } catch (error) {
      refusal = error
    }
    expect(refusal).toBeInstanceOf(TrunksRefusal)
    expect(String(refusal) + String((refusal as Error).cause)).not.toContain(secret)
  }
})

test('the list may stand in a file', () => {
  const read = (path: string) => (path === '/etc/trunks.json' ? JSON.stringify([least]) : '')
  expect(parseTrunks('@/etc/trunks.json', read)).toHaveLength(1)
  expect(() => parseTrunks('@/no/such/file')).toThrow('names a file that cannot be read')
})
