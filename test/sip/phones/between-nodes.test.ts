/** D241: two engines as the nodes of a fleet: the first has the call, the second only rings its phone. */
import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { AcceptedCall, CallEvent, ExtensionName, IncomingCall } from '../../../src/engine/port.ts'
import { programMissing } from '../../helpers/programs/programs.ts'
import { keep, startDeskPhone, type TestScope } from '../engine/engine-setup.ts'
import { destination, openTestHost } from '../engine/test-host.ts'
import { startBaresip } from '../peers/baresip.ts'
import { openStranger } from '../peers/stranger.ts'
import { secondsOfTone } from '../peers/tones.ts'
import { writeSound } from '../worlds/sound-files.ts'
import { expectTone } from '../worlds/tone-checks.ts'
import { carrierHertz, phoneHertz, pickUp, startPhone } from '../worlds/two-baresips.ts'

const key = Buffer.alloc(32, 9)
const limits = { ring: 30, answer: 30, talk: 600 }
const musicHertz = 650

/** Accepts what a phone dials: an extension, wherever it is registered. A carrier's calls are for extension 1001. */
function acceptDialled({ from, dialled }: IncomingCall): AcceptedCall {
  return {
    callId: randomUUID(),
    destination: { extension: { domain: 'ramal.test', number: 'trunk' in from ? '1001' : dialled } },
    presented: { number: '1000', name: 'Ana Souza' },
    record: true,
    limits,
  }
}

type HostOptions = Pick<NonNullable<Parameters<typeof openTestHost>[0]>, 'settings' | 'trunks' | 'admit'>

/** Two nodes; each finds the phones of the other there. The first has the trunks. */
async function openNodes(scope: TestScope, { trunks, ...options }: HostOptions = {}) {
  const addresses = new Map<string, string>()
  const open = async (id: string, other: string) => {
    const host = keep(
      scope,
      await openTestHost({
        admit: acceptDialled,
        ...options,
        ...(trunks && id === 'node a' && { trunks }),
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

test('a phone at the other node that nobody answers stops ringing when the time to answer is over', async (t) => {
  const hurried = (call: IncomingCall) => ({ ...acceptDialled(call), limits: { ...limits, answer: 1 } })
  const { a, b } = await openNodes(t, { admit: hurried })
  const caller = keep(t, await startDeskPhone(a, { number: '1000' }))
  const callee = keep(t, await startDeskPhone(b, { number: '1001', answer: 'ask' }))
  await caller.call('1001')
  await callee.until(({ type }) => type === 'incoming')
  await callee.until(({ type }) => type === 'ended')
  await expect.poll(() => endOf(a.calls), soon).toMatchObject({ cause: 'NO_ANSWER', by: 'service' })
  await caller.until(({ type }) => type === 'ended')
  expect(b.calls).toEqual([])
  await expect.poll(() => b.engine.metrics(), soon).toMatchObject({ calls_relayed: 0, sip_legs: 0 })
})

describe.skipIf(programMissing('baresip'))('a call of a carrier', () => {
  test('reaches the phone at the other node, which holds it with music and takes it back', async (t) => {
    const { path } = await writeSound(t, 'music.wav', musicHertz)
    const carrier = keep(
      t,
      await startBaresip({ domain: 'carrier.test', extension: destination, hertz: carrierHertz }),
    )
    const address = `sip:127.0.0.1:${carrier.port}`
    const { a, b } = await openNodes(t, {
      settings: { holdMusic: path },
      trunks: [{ name: 'carrier', address, qualifySeconds: 0 }],
    })
    const phone = keep(t, await startPhone(b.server, '1001', { hertz: phoneHertz }))
    await b.registered('1001')
    await carrier.dial(`sip:554830001000@${a.server}`)
    await pickUp(phone)
    await expectTone(carrier.heard, phoneHertz)
    await expectTone(phone.heard, carrierHertz)
    await phone.hold()
    await expectTone(carrier.heard, musicHertz, 1.4)
    await phone.resume()
    const before = secondsOfTone(await carrier.heard(), phoneHertz)
    await expectTone(carrier.heard, phoneHertz, before + 0.5)
    await carrier.hangUp()
    await phone.closed()
    await expect.poll(() => endOf(a.calls), soon).toMatchObject({ cause: 'NORMAL_CLEARING', by: 'other' })
    expect(b.calls).toEqual([])
  })
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
