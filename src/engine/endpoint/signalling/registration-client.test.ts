import { expect, test } from 'vitest'
import { createTestTimers } from '../../../kit/testing/test-timers.ts'
import type { RequestOptions } from '../../sip/dialog/leg.ts'
import type { SipResponse } from '../../sip/message/message.ts'
import { type HeaderPairs, toHeaders } from '../../sip/message/request.ts'
import { noParams } from '../../sip/syntax/params.ts'
import { sipUri } from '../../sip/uri/uri.ts'
import { createRegistering, type RegisteringState } from './registration-client.ts'

const contact = sipUri({ user: 'acme', host: '192.0.2.1' })

function response(status: number, headers: HeaderPairs = []): SipResponse {
  return { kind: 'response', status, reason: 'So it is', headers: toHeaders(headers), body: Buffer.alloc(0) }
}

function begin(answers: (SipResponse | undefined)[], retries?: (status: number | undefined) => boolean) {
  const timers = createTestTimers()
  const asked: RequestOptions[] = []
  const states: RegisteringState[] = []
  const uri = sipUri({ host: 'carrier.example' })
  const who = { name: undefined, uri: sipUri({ user: 'acme', host: 'carrier.example' }), params: noParams }
  const registering = createRegistering({
    userAgent: {
      request: async (asking) => {
        asked.push(asking)
        return answers.length > 1 ? answers.shift() : answers[0]
      },
    },
    timers,
    asking: {
      uri,
      target: { transport: 'udp', remote: { address: '203.0.113.1', port: 5060 } },
      from: who,
      to: who,
    },
    contact,
    seconds: 600,
    ...(retries ? { retries } : {}),
    changed: (state) => states.push(state),
  })
  return { timers, asked, states, registering }
}

const settle = () => new Promise<void>((resolve) => setImmediate(resolve))
const lasting = (asking: RequestOptions | undefined) =>
  asking?.headers?.find(([name]) => name === 'Expires')?.[1]

test('what the registrar grants to our contact counts, and is renewed before it ends', async () => {
  const granted = response(200, [
    ['Contact', '<sip:other@192.0.2.9>;expires=9000'],
    ['Contact', '<sip:acme@192.0.2.1>;expires=120'],
    ['Expires', '3000'],
  ])
  const { timers, asked, states, registering } = begin([granted])
  await settle()
  expect(states).toEqual([{ state: 'trying' }, { state: 'registered', seconds: 120 }])
  timers.advance(59_999)
  expect(asked).toHaveLength(1)
  timers.advance(1)
  await settle()
  expect(asked).toHaveLength(2)
  expect(asked[1]?.callId).toBe(asked[0]?.callId)
  expect(asked[1]?.cseq).toBeGreaterThan((asked[0]?.cseq ?? 0) + 1)
  await registering.stop()
  expect(lasting(asked.at(-1))).toBe('0')
  expect(timers.waiting()).toBe(0)
})

test('a registrar that finds it too short is asked for what it wants', async () => {
  const { asked, states, registering } = begin([response(423, [['Min-Expires', '1800']]), response(200)])
  await settle()
  expect(asked.map(lasting)).toEqual(['600', '1800'])
  expect(states.at(-1)).toEqual({ state: 'registered', seconds: 1800 })
  await registering.stop()
})

test('failures are tried again ever more slowly', async () => {
  const { timers, states, registering } = begin([undefined])
  await settle()
  for (let round = 0; round < 9; round += 1) {
    const last = states.at(-1)
    timers.advance(1000 * ((last?.state === 'failed' && last.retrySeconds) || 0))
    await settle()
  }
  const waits = states.map((state) => (state.state === 'failed' ? state.retrySeconds : state.state))
  expect(waits).toEqual(['trying', 5, 10, 20, 40, 80, 160, 320, 600, 600, 600])
  await registering.stop()
  expect(timers.waiting()).toBe(0)
})

test('a registrar that says when to come again is obeyed, within reason', async () => {
  const { states, timers, registering } = begin([
    response(503, [['Retry-After', '30']]),
    response(503, [['Retry-After', '999999']]),
  ])
  await settle()
  expect(states.at(-1)).toMatchObject({ status: 503, retrySeconds: 30 })
  timers.advance(30_000)
  await settle()
  expect(states.at(-1)).toMatchObject({ status: 503, retrySeconds: 600 })
  await registering.stop()
})

test('what trying again would not mend is left', async () => {
  const { timers, states, registering } = begin([response(403)], (status) => status !== 403)
  await settle()
  expect(states.at(-1)).toMatchObject({ state: 'failed', status: 403, retrySeconds: undefined })
  expect(timers.waiting()).toBe(0)
  await registering.stop()
})
