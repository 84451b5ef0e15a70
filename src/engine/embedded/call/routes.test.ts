import { expect, test } from 'vitest'
import { sipUri } from '../../../sip/uri/uri.ts'
import { createRoutes } from './routes.ts'
import { callRequest } from './testing/stage.ts'

const phone = {
  target: { transport: 'udp' as const, remote: { address: '192.0.2.7', port: 5071 } },
  contact: sipUri({ user: 'line1', host: '10.0.0.7', port: 5062 }),
  path: ['<sip:edge.example;lr>'],
}

function routes({ autoAnswer = false, registered = true } = {}) {
  return createRoutes({
    findPhone: () => (registered ? phone : undefined),
    autoAnswer,
    trunks: { choose: () => [] },
  })
}

function routeToExtension(found: ReturnType<typeof routes>, shown = {}) {
  const { extension, callId } = callRequest
  const [open] = found.find({ callId, destination: { extension }, presented: undefined, ...shown })
  return open?.()
}

const headersOf = (calling: { headers?: readonly (readonly [string, string])[] } | undefined) =>
  Object.fromEntries(calling?.headers ?? [])

test('a call placed over the API carries its id and the mark web phones answer on (D77)', () => {
  const calling = routes().inviteExtension(callRequest)
  expect(headersOf(calling)).toEqual({
    Route: '<sip:edge.example;lr>',
    'X-Call-Id': callRequest.callId,
    'X-Api4comintegratedcall': 'true',
  })
  expect(calling).toMatchObject({ uri: phone.contact, target: phone.target })
  expect(calling?.from.uri).toMatchObject({ user: callRequest.shown.number, host: 'acme.example' })
})

test('phones are asked to answer automatically only when the operator configured it (D77)', () => {
  const headers = headersOf(routes({ autoAnswer: true }).inviteExtension(callRequest))
  expect(headers['Call-Info']).toContain('answer-after=0')
  expect(headers['Alert-Info']).toContain('delay=0')
})

test('a call that was not placed over the API is not marked, and without a presented number is anonymous', async () => {
  const route = await routeToExtension(routes())
  if (!route || typeof route === 'string') throw new Error(route)
  expect(headersOf(route.calling)).not.toHaveProperty('X-Api4comintegratedcall')
  expect(route.calling.from.uri).toMatchObject({ user: 'anonymous' })
})

test('a colleague who withholds the number is anonymous (D268)', async () => {
  const route = await routeToExtension(routes(), { presented: { number: '1001' }, isPrivate: true })
  if (!route || typeof route === 'string') throw new Error(route)
  expect(route.calling.from).toMatchObject({ name: 'Anonymous', uri: { user: 'anonymous' } })
})

test('an extension without a phone has no route, unless its phone is at another node (D241)', async () => {
  const none = routes({ registered: false })
  expect(none.inviteExtension(callRequest)).toBeUndefined()
  expect(await routeToExtension(none)).toBe('USER_NOT_REGISTERED')
})
