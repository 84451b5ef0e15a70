import { expect, test } from 'vitest'
import { sipUri } from '../../sip/uri/uri.ts'
import { createPhones } from './phones.ts'
import { placing } from './testing/stage.ts'

const phone = {
  target: { transport: 'udp' as const, remote: { address: '192.0.2.7', port: 5071 } },
  contact: sipUri({ user: 'line1', host: '10.0.0.7', port: 5062 }),
  path: ['<sip:edge.example;lr>'],
}

function phones({ autoAnswer = false, there = true } = {}) {
  return createPhones({ find: () => (there ? phone : undefined), autoAnswer })
}

const headersOf = (calling: { headers?: readonly (readonly [string, string])[] } | undefined) =>
  Object.fromEntries(calling?.headers ?? [])

test('a call placed over the API carries its id and the mark web phones answer on (D77)', () => {
  const calling = phones().ring(placing)
  expect(headersOf(calling)).toEqual({
    Route: '<sip:edge.example;lr>',
    'X-Call-Id': placing.callId,
    'X-Api4comintegratedcall': 'true',
  })
  expect(calling).toMatchObject({ uri: phone.contact, target: phone.target })
  expect(calling?.from.uri).toMatchObject({ user: placing.shown.number, host: 'acme.example' })
})

test('phones are asked to answer by themselves only when the operator wishes (D77)', () => {
  const headers = headersOf(phones({ autoAnswer: true }).ring(placing))
  expect(headers['Call-Info']).toContain('answer-after=0')
  expect(headers['Alert-Info']).toContain('delay=0')
})

test('a call from elsewhere is not marked, and shows its caller or nobody', () => {
  const wanted = { callId: placing.callId, presented: undefined }
  const way = phones().way(placing.extension, wanted)
  if (typeof way === 'string') throw new Error(way)
  expect(headersOf(way.calling)).not.toHaveProperty('X-Api4comintegratedcall')
  expect(way.calling.from.uri).toMatchObject({ user: 'anonymous' })
})

test('an extension without a phone has no way', () => {
  const none = phones({ there: false })
  expect(none.ring(placing)).toBeUndefined()
  expect(none.way(placing.extension, placing)).toBe('USER_NOT_REGISTERED')
})
