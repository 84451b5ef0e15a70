import { createSecretKey } from 'node:crypto'
import { expect, test } from 'vitest'
import { systemClock } from '../../../kit/clock.ts'
import { createLog } from '../../../kit/process/log.ts'
import { createTestTimers } from '../../../kit/testing/test-timers.ts'
import type { IncomingLeg } from '../../../sip/dialog/leg.ts'
import { createDigestClient } from '../../../sip/digest/client.ts'
import { createDigestServer } from '../../../sip/digest/server.ts'
import { buildRequest } from '../../../sip/message/request.ts'
import { buildResponse } from '../../../sip/message/response.ts'
import { parseUri } from '../../../sip/uri/parse.ts'
import { createFailureBudgets } from '../guard/failure-budgets.ts'
import type { Trunk } from '../trunks/trunk.ts'
import { createSenderCheck } from './sender-check.ts'
import { incomingLeg } from './testing/stage.ts'

const domain = 'acme.example'
const known = { transport: 'udp' as const, local: peer(5060), remote: peer(5071) }

function peer(port: number) {
  return { address: '127.0.0.1', port }
}

function setUp({ registered = true, carrier = false, free = true, dialsTooOften = false } = {}) {
  const timers = createTestTimers()
  const judged: string[] = []
  const proven: number[] = []
  const check = createSenderCheck({
    host: {
      credentials: ({ number }) => (number === '1000' ? { password: 'right' } : undefined),
    },
    digest: createDigestServer({
      key: createSecretKey(Buffer.alloc(32, 1)),
      clock: systemClock,
      nonceSeconds: 60,
      nonces: 100,
      algorithms: ['MD5'],
    }),
    timers,
    log: createLog('silent'),
    guard: { succeeded: () => judged.push('good'), failed: () => judged.push('failed') },
    budgets: createFailureBudgets({ timers }),
    rates: { take: () => !dialsTooOften },
    prove: ({ remote }) => proven.push(remote.port),
    trunks: {
      isCarrier: () => carrier,
      identify: () =>
        carrier
          ? {
              trunk: { name: 'main' } as Trunk,
              dialled: '554830001000',
              callerId: { number: '5511' },
              take: () => (free ? () => {} : undefined),
            }
          : undefined,
    },
    ownHosts: new Set(['localhost']),
    flowOf: () => (registered ? known : undefined),
  })
  return { check, timers, judged, proven }
}

const invite = (number = '1000') =>
  buildRequest({
    method: 'INVITE',
    uri: parseUri(`sip:48999998888@${domain}`),
    headers: [
      ['From', `<sip:${number}@${domain}>;tag=a`],
      ['To', `<sip:48999998888@${domain}>`],
      ['Call-ID', 'x'],
      ['CSeq', '1 INVITE'],
    ],
  })

function legWith(request: IncomingLeg['request'], port = 5071) {
  const refusals: { status: number; headers: readonly (readonly [string, string])[] }[] = []
  const leg: IncomingLeg = {
    ...incomingLeg().leg,
    request,
    flow: { ...known, remote: peer(port) },
    refuse: (status, headers = []) => void refusals.push({ status, headers }),
  }
  return { leg, refusals }
}

/** The INVITE with credentials for the challenge it was answered with. */
async function answering(check: ReturnType<typeof setUp>['check'], password: string, number = '1000') {
  const first = legWith(invite(number))
  await check.identify(first.leg)
  const challenge = buildResponse(first.leg.request, 407, { headers: first.refusals[0]?.headers ?? [] })
  const client = createDigestClient({ login: () => ({ username: number, password }) })
  const signed = client.answer(first.leg.request, challenge)
  if (!signed) throw new Error('no challenge')
  return legWith(signed)
}

test('a registered phone proves itself at every call', async () => {
  const { check, judged } = setUp()
  const { leg, refusals } = await answering(check, 'right')
  expect(await check.identify(leg)).toMatchObject({
    from: { extension: { domain, number: '1000' } },
    dialled: '48999998888',
  })
  expect([refusals, judged]).toEqual([[], ['good']])
})

test('D473: an extension that dials too often is answered 503 and gets no further', async () => {
  const { check, timers } = setUp({ dialsTooOften: true })
  const { leg, refusals } = await answering(check, 'right')
  expect(await check.identify(leg)).toBeUndefined()
  expect(refusals).toEqual([])
  timers.advance(2_000)
  expect(refusals).toEqual([{ status: 503, headers: [['Retry-After', '5']] }])
})

test('a phone that is not registered may not call, though its password is right', async () => {
  const { check } = setUp({ registered: false })
  const { leg, refusals } = await answering(check, 'right')
  expect(await check.identify(leg)).toBeUndefined()
  expect(refusals.map(({ status }) => status)).toEqual([403])
})

test.each([
  ['a wrong password', '1000'],
  ['an extension that does not exist', '7777'],
])('%s is asked again, later, and counted', async (_what, number) => {
  const { check, timers, judged } = setUp()
  const { leg, refusals } = await answering(check, 'wrong', number)
  expect(await check.identify(leg)).toBeUndefined()
  expect(refusals).toEqual([])
  timers.advance(300)
  expect([refusals.map(({ status }) => status), judged]).toEqual([[407], ['failed']])
})

test('a carrier is known by its address, and refused when it has no channel left', async () => {
  const { check } = setUp({ carrier: true })
  expect(await check.identify(legWith(invite('5511'), 5090).leg)).toMatchObject({
    from: { trunk: 'main', callerId: { number: '5511' } },
    dialled: '554830001000',
  })
  const full = legWith(invite('5511'), 5090)
  expect(await setUp({ carrier: true, free: false }).check.identify(full.leg)).toBeUndefined()
  expect(full.refusals.map(({ status }) => status)).toEqual([503])
})

test('a phone at the address of a carrier is a phone', async () => {
  const { check } = setUp({ carrier: true })
  const { leg, refusals } = legWith(invite())
  expect(await check.identify(leg)).toBeUndefined()
  expect(refusals.map(({ status }) => status)).toEqual([407])
})
