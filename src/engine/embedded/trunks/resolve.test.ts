import { expect, test } from 'vitest'
import { parseUri } from '../../../sip/uri/parse.ts'
import type { SipUri } from '../../../sip/uri/uri.ts'
import { createResolve, type Dns, orderSrv, type Srv } from './resolve.ts'

const at = (text: string, transport: 'udp' | 'tcp' | 'tls' = 'udp') => ({
  address: parseUri(text) as SipUri,
  transport,
})
const peer = (address: string, port: number) => ({ address, port })

function createDns(records: Record<string, Srv[]>, names: Record<string, string[]>) {
  const asked: string[] = []
  const look = <T>(found: Record<string, T[]>) => {
    return async (name: string) => {
      asked.push(name)
      return found[name] ?? []
    }
  }
  const dns: Dns = { srv: look(records), addresses: look(names) }
  return { dns, asked }
}

test('a number needs no DNS', async () => {
  const { dns, asked } = createDns({}, {})
  const resolve = createResolve({ dns })
  expect(await resolve(at('sip:203.0.113.7'))).toEqual([peer('203.0.113.7', 5060)])
  expect(await resolve(at('sip:[2001:db8::7]:5070'))).toEqual([peer('2001:db8::7', 5070)])
  expect(await resolve(at('sips:203.0.113.7', 'tls'))).toEqual([peer('203.0.113.7', 5061)])
  expect(asked).toEqual([])
})

test('a name with a port has no use for SRV', async () => {
  const { dns, asked } = createDns({}, { 'carrier.example': ['203.0.113.7', '203.0.113.8'] })
  const found = await createResolve({ dns })(at('sip:carrier.example:5080'))
  expect(found).toEqual([peer('203.0.113.7', 5080), peer('203.0.113.8', 5080)])
  expect(asked).toEqual(['carrier.example'])
})

test('a bare name is found by SRV, in its order', async () => {
  const { dns } = createDns(
    {
      '_sip._udp.carrier.example': [
        { priority: 2, weight: 0, name: 'b.example', port: 5062 },
        { priority: 1, weight: 0, name: 'a.example', port: 5061 },
      ],
    },
    { 'a.example': ['203.0.113.1'], 'b.example': ['203.0.113.2'] },
  )
  expect(await createResolve({ dns })(at('sip:carrier.example'))).toEqual([
    peer('203.0.113.1', 5061),
    peer('203.0.113.2', 5062),
  ])
})

test('without SRV the name itself will do', async () => {
  const { dns, asked } = createDns({}, { 'carrier.example': ['203.0.113.7', '2001:db8::7'] })
  const found = await createResolve({ dns, family: 4 })(at('sip:carrier.example', 'tls'))
  expect(found).toEqual([peer('203.0.113.7', 5061)])
  expect(asked).toEqual(['_sips._tcp.carrier.example', 'carrier.example'])
})

test('a name nobody knows has no addresses, and a flood of them is cut', async () => {
  const many = Array.from({ length: 50 }, (_, index) => `203.0.113.${index + 1}`)
  const { dns } = createDns({}, { 'many.example': many })
  expect(await createResolve({ dns })(at('sip:none.example'))).toEqual([])
  expect(await createResolve({ dns })(at('sip:many.example'))).toHaveLength(4)
})

test('among equals the lot decides, by weight; "." is a service that is not there', () => {
  const record = (name: string, weight: number) => ({ priority: 1, weight, name, port: 5060 })
  const records = [record('light', 1), record('heavy', 3), record('.', 9)]
  const names = (lot: number) => orderSrv(records, () => lot).map(({ name }) => name)
  expect(names(0.1)).toEqual(['light', 'heavy'])
  expect(names(0.3)).toEqual(['heavy', 'light'])
})
