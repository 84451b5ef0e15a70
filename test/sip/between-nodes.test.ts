/** D241: two engines as the nodes of a fleet: the first has the call, the second only rings its phone. */
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { AcceptedCall, CallEvent, ExtensionName, IncomingCall } from '../../src/engine/port.ts'
import { keep, startDeskPhone, type TestScope } from './engine-setup.ts'
import { openStranger } from './peers/stranger.ts'
import { openTestHost } from './test-host.ts'

const key = Buffer.alloc(32, 9)
const limits = { ring: 30, answer: 30, talk: 600 }

/** Accepts what a phone dials: an extension, wherever it is registered. */
function acceptDialled({ dialled }: IncomingCall): AcceptedCall {
  return {
    callId: randomUUID(),
    destination: { extension: { domain: 'ramal.test', number: dialled } },
    presented: { number: '1000', name: 'Ana Souza' },
    record: true,
    limits,
  }
}

/** Two nodes; each finds the phones of the other there. */
async function openNodes(scope: TestScope) {
  const addresses = new Map<string, string>()
  const open = async (id: string, other: string) => {
    const host = keep(
      scope,
      await openTestHost({
        admit: acceptDialled,
        node: { id, key: () => key },
        findNode: async (_: ExtensionName) => ({ id: other, address: addresses.get(other) ?? '' }),
      }),
    )
    addresses.set(id, `127.0.0.1:${host.port}`)
    return host
  }
  return { a: await open('node a', 'node b'), b: await open('node b', 'node a') }
}

const endOf = (events: readonly CallEvent[]) => events.find((event) => event.type === 'ended')
const soon = { timeout: 20_000 }

test('phones at two nodes talk and press keys; only the first node has a call, and records it', async (t) => {
  const { a, b } = await openNodes(t)
  const caller = keep(t, await startDeskPhone(a, { number: '1000' }))
  const callee = keep(t, await startDeskPhone(b, { number: '1001' }))
  expect(await caller.call('1001')).toBe(true)
  const incoming = await callee.until(({ type }) => type === 'incoming')
  expect(incoming).toMatchObject({ number: '1000', name: 'Ana Souza' })
  await caller.until(({ type }) => type === 'answered')
  await expect.poll(() => callee.heard()?.soundSeconds ?? 0, soon).toBeGreaterThan(1)
  await expect.poll(() => caller.heard()?.soundSeconds ?? 0, soon).toBeGreaterThan(1)
  caller.press('5')
  await callee.until((event) => event.type === 'digit' && event.digit === '5')
  expect([a.engine.liveCalls().length, b.engine.liveCalls().length]).toEqual([1, 0])
  expect(b.engine.metrics()).toMatchObject({ calls: 0, calls_relayed: 1 })

  callee.hangUp()
  await caller.until(({ type }) => type === 'ended')
  await expect
    .poll(() => endOf(a.calls), soon)
    .toMatchObject({
      cause: 'NORMAL_CLEARING',
      by: 'other',
      recording: { seconds: expect.any(Number) },
    })
  expect(incoming).toMatchObject({ callId: endOf(a.calls)?.callId })
  expect(b.calls).toEqual([])
  await expect
    .poll(() => b.engine.metrics(), soon)
    .toMatchObject({ calls_relayed: 0, media_calls: 0, sip_legs: 0 })
})

test('a caller who gives up stops the phone at the other node; a busy or absent phone is reported as such', async (t) => {
  const { a, b } = await openNodes(t)
  const caller = keep(t, await startDeskPhone(a, { number: '1000' }))
  const callee = keep(t, await startDeskPhone(b, { number: '1001', answer: 'ask' }))
  await caller.call('1001')
  await callee.until(({ type }) => type === 'incoming')
  caller.hangUp()
  await callee.until(({ type }) => type === 'ended')
  await expect.poll(() => endOf(a.calls)).toMatchObject({ cause: 'ORIGINATOR_CANCEL', by: 'extension' })

  await caller.call('1001')
  await callee.until(({ type }) => type === 'incoming', {
    after: callee.events.findIndex(({ type }) => type === 'ended'),
  })
  callee.refuse(486)
  await expect
    .poll(() => a.calls.filter(({ type }) => type === 'ended').at(1), soon)
    .toMatchObject({ cause: 'USER_BUSY', by: 'other' })

  await callee.stop()
  await caller.call('1001')
  await expect
    .poll(() => a.calls.filter(({ type }) => type === 'ended').at(2), soon)
    .toMatchObject({ cause: 'SUBSCRIBER_ABSENT' })
  expect(b.calls).toEqual([])
})

test('who only claims to be a node is challenged like any stranger', async (t) => {
  const { b } = await openNodes(t)
  const callee = keep(t, await startDeskPhone(b, { number: '1001' }))
  const stranger = keep(t, await openStranger(b.port))
  const time = Math.floor(Date.now() / 1000)
  const answer = await stranger.ask({
    method: 'INVITE',
    uri: 'sip:1001@ramal.test',
    headers: [
      `X-Call-Id: ${randomUUID()}`,
      `X-Node-Signature: from=node a;to=node b;time=${time};nonce=abc;mac=${Buffer.alloc(32).toString('base64url')}`,
    ],
  })
  expect(answer).toMatch(/^SIP\/2.0 407 /)
  expect(callee.events.filter(({ type }) => type === 'incoming')).toEqual([])
})
