import { expect, test } from 'vitest'
import { createTestTimers } from '../../../kit/testing/test-timers.ts'
import type { SipResponse } from '../../../sip/message/message.ts'
import { type HeaderPairs, toHeaders } from '../../../sip/message/request.ts'
import { noParams } from '../../../sip/syntax/params.ts'
import { sipUri } from '../../../sip/uri/uri.ts'
import type { RequestOptions } from '../../../sip/user-agent/out-of-dialog-request.ts'
import { createRegistrationClient, type RegistrationState } from './registration-client.ts'

const contact = sipUri({ user: 'acme', host: '192.0.2.1' })

function response(status: number, headers: HeaderPairs = []): SipResponse {
  return { kind: 'response', status, reason: 'So it is', headers: toHeaders(headers), body: Buffer.alloc(0) }
}

function begin(answers: (SipResponse | undefined)[], shouldRetry?: (status: number | undefined) => boolean) {
  const timers = createTestTimers()
  const sent: RequestOptions[] = []
  const states: RegistrationState[] = []
  const uri = sipUri({ host: 'carrier.example' })
  const who = { name: undefined, uri: sipUri({ user: 'acme', host: 'carrier.example' }), params: noParams }
  const registration = createRegistrationClient({
    userAgent: {
      request: async (request) => {
        sent.push(request)
        return answers.length > 1 ? answers.shift() : answers[0]
      },
    },
    timers,
    request: {
      uri,
      target: { transport: 'udp', remote: { address: '203.0.113.1', port: 5060 } },
      from: who,
      to: who,
    },
    contact,
    seconds: 600,
    ...(shouldRetry ? { shouldRetry } : {}),
    onChange: (state) => states.push(state),
  })
  return { timers, sent, states, registration }
}

const settle = () => new Promise<void>((resolve) => setImmediate(resolve))
const expiryOf = (request: RequestOptions | undefined) =>
  request?.headers?.find(([name]) => name === 'Expires')?.[1]

test('the expiry granted to our contact counts, and is refreshed before it ends', async () => {
  const granted = response(200, [
    ['Contact', '<sip:other@192.0.2.9>;expires=9000'],
    ['Contact', '<sip:acme@192.0.2.1>;expires=120'],
    ['Expires', '3000'],
  ])
  const { timers, sent, states, registration } = begin([granted])
  await settle()
  expect(states).toEqual([{ state: 'trying' }, { state: 'registered', seconds: 120 }])
  timers.advance(59_999)
  expect(sent).toHaveLength(1)
  timers.advance(1)
  await settle()
  expect(sent).toHaveLength(2)
  expect(sent[1]?.callId).toBe(sent[0]?.callId)
  expect(sent[1]?.cseq).toBeGreaterThan((sent[0]?.cseq ?? 0) + 1)
  await registration.stop()
  expect(expiryOf(sent.at(-1))).toBe('0')
  expect(timers.waiting()).toBe(0)
})

test('an expiry that is too brief for the registrar is replaced by its minimum (423)', async () => {
  const { sent, states, registration } = begin([response(423, [['Min-Expires', '1800']]), response(200)])
  await settle()
  expect(sent.map(expiryOf)).toEqual(['600', '1800'])
  expect(states.at(-1)).toEqual({ state: 'registered', seconds: 1800 })
  await registration.stop()
})

test('failures are retried with increasing delay', async () => {
  const { timers, states, registration } = begin([undefined])
  await settle()
  for (let round = 0; round < 9; round += 1) {
    const last = states.at(-1)
    timers.advance(1000 * ((last?.state === 'failed' && last.retrySeconds) || 0))
    await settle()
  }
  const waits = states.map((state) => (state.state === 'failed' ? state.retrySeconds : state.state))
  expect(waits).toEqual(['trying', 5, 10, 20, 40, 80, 160, 320, 600, 600, 600])
  await registration.stop()
  expect(timers.waiting()).toBe(0)
})

test('Retry-After is respected, up to a limit', async () => {
  const { states, timers, registration } = begin([
    response(503, [['Retry-After', '30']]),
    response(503, [['Retry-After', '999999']]),
  ])
  await settle()
  expect(states.at(-1)).toMatchObject({ status: 503, retrySeconds: 30 })
  timers.advance(30_000)
  await settle()
  expect(states.at(-1)).toMatchObject({ status: 503, retrySeconds: 600 })
  await registration.stop()
})

test('a failure that a retry cannot solve is not retried', async () => {
  const { timers, states, registration } = begin([response(403)], (status) => status !== 403)
  await settle()
  expect(states.at(-1)).toMatchObject({ state: 'failed', status: 403, retrySeconds: undefined })
  expect(timers.waiting()).toBe(0)
  await registration.stop()
})
