/** 100rel (RFC 3262) and offers in early dialogs (RFC 3311). */
import { expect, test } from 'vitest'
import { firstValue, type SipResponse } from '../message/message.ts'
import type { HeaderPairs } from '../message/request.ts'
import { createScene, described, sdp, settle, tagIn } from './testing/test-agents.ts'

const portIn = (message: { body: Buffer } | undefined) => /m=audio (\d+)/.exec(`${message?.body}`)?.[1]
const summary = (response: SipResponse) =>
  [response.status, firstValue(response, 'Require'), portIn(response)]
    .filter((part) => part !== undefined)
    .join(' ')

/** A peer calls with these headers. */
async function called(headers: HeaderPairs, withOffer = true) {
  const scene = createScene()
  const far = scene.scriptedPeer()
  const offer = withOffer ? described(20) : { headers: [], body: '' }
  const invite = far.ask('INVITE', { cseq: 1, body: offer.body, headers: [...offer.headers, ...headers] })
  await settle()
  let cseq = 1
  async function ask(method: string, more: { headers?: HeaderPairs; body?: string } = {}) {
    cseq += 1
    const asked = far.ask(method, { cseq, toTag: tagIn(invite.answers), ...more })
    await settle()
    return asked
  }
  const last = () => invite.answers.at(-1)
  const acknowledge = (more: { headers?: HeaderPairs; body?: string } = {}) => {
    const rseq = firstValue(last() ?? { headers: [] }, 'RSeq')
    return ask('PRACK', { ...more, headers: [['RAck', `${rseq} 1 INVITE`], ...(more.headers ?? [])] })
  }
  const leg = scene.near.leg()
  return { ...scene, far, leg, invite, ask, acknowledge, summaries: () => invite.answers.map(summary) }
}

const required: HeaderPairs = [['Require', '100rel']]
const supported: HeaderPairs = [['Supported', 'timer, 100rel']]

test('where 100rel is required, provisional responses are repeated until their PRACK, one at a time (D271)', async () => {
  const { leg, summaries, acknowledge, pass } = await called(required)
  leg.progress(180)
  leg.progress(183, sdp(30))
  await pass(1_600)
  expect(summaries()).toEqual(['180 100rel', '180 100rel', '180 100rel'])
  expect((await acknowledge()).status()).toBe(200)
  expect(summaries().slice(3)).toEqual(['183 100rel 30'])
  // RFC 3262, 5: the 2xx waits for the PRACK, and does not repeat the SDP.
  leg.accept(sdp(30))
  await settle()
  expect(summaries().slice(4)).toEqual([])
  expect((await acknowledge()).status()).toBe(200)
  await pass(20)
  expect(summaries().slice(4)).toEqual(['200'])
})

test('where it is supported, only those with SDP are', async () => {
  const { leg, summaries, acknowledge } = await called(supported)
  leg.progress(180)
  leg.progress(183, sdp(30))
  await settle()
  expect(summaries()).toEqual(['180', '183 100rel 30'])
  expect((await acknowledge()).status()).toBe(200)
})

test('a caller that offers nothing gets its first reliable response with the 2xx', async () => {
  const { leg, summaries } = await called(required, false)
  leg.progress(180)
  leg.accept(sdp(30))
  await settle()
  expect(summaries()).toEqual(['200 30'])
})

test('a PRACK of nothing is answered 481; without one the call is given up after 32 s', async () => {
  const { leg, ask, invite, near, pass, timers } = await called(required)
  leg.progress(180)
  await settle()
  expect((await ask('PRACK', { headers: [['RAck', '1 1 INVITE']] })).status()).toBe(481)
  await pass(33_000)
  expect(invite.status()).toBe(504)
  expect(near.events).toEqual(['invited 20', 'cancelled'])
  await pass(40_000)
  expect(timers.waiting()).toBe(0)
})

test('a caller may send another offer by UPDATE or PRACK once it has our answer, not before (RFC 3311)', async () => {
  const { leg, ask, acknowledge, near, invite } = await called(required)
  leg.progress(180)
  await settle()
  const early = await ask('UPDATE', described(21))
  expect([early.status(), firstValue(early.answers[0] ?? { headers: [] }, 'Retry-After')]).toEqual([
    500,
    expect.stringMatching(/^\d+$/),
  ])
  await acknowledge()
  leg.progress(183, sdp(30))
  await settle()
  const byPrack = await acknowledge(described(22))
  const byUpdate = await ask('UPDATE', described(23))
  expect([byPrack, byUpdate].map(({ answers }) => answers.map(summary))).toEqual([['200 40'], ['200 40']])
  near.behaviour.offered = async () => ({ refuse: 488 })
  expect((await ask('UPDATE', described(24))).status()).toBe(488)
  leg.accept(sdp(30))
  await settle()
  expect(invite.answers.map(summary).at(-1)).toBe('200')
  expect(near.events).toEqual(['invited 20', 'offered 22', 'offered 23', 'offered 24'])
})

/** We call a scripted peer. */
async function calling() {
  const scene = createScene()
  const far = scene.scriptedPeer()
  scene.near.call()
  await settle()
  let cseq = 0
  async function ask(method: string, port: number) {
    cseq += 1
    const { request } = far.last('INVITE')
    const toTag = tagIn([request], 'From')
    const asked = far.ask(method, {
      cseq,
      toTag,
      callId: firstValue(request, 'Call-ID') ?? '',
      ...described(port),
    })
    await settle()
    return asked
  }
  return { ...scene, far, ask }
}

const reliable = (port: number, rseq: number) => ({
  body: described(port).body,
  headers: [...described(port).headers, ['Require', '100rel'], ['RSeq', String(rseq)]] as HeaderPairs,
})

test('a carrier that demands 100rel is called again with it, once (D271)', async () => {
  const { near, far } = await calling()
  for (const _ of [1, 2]) {
    far.answer(far.last('INVITE'), 421, { headers: [['Require', '100rel']] })
    await settle()
  }
  const invites = far.received.filter(({ request }) => request.method === 'INVITE')
  expect(invites.map(({ request }) => [firstValue(request, 'CSeq'), firstValue(request, 'Require')])).toEqual(
    [
      ['1 INVITE', undefined],
      ['2 INVITE', '100rel'],
    ],
  )
  expect(near.events).toEqual(['failed refused 421'])
})

test('a callee may send another offer once its answer came reliably; what it offered stays after the 2xx (RFC 3311)', async () => {
  const { near, far, ask } = await calling()
  far.answer(far.last('INVITE'), 183, described(20))
  await settle()
  expect((await ask('UPDATE', 21)).status()).toBe(491)
  far.answer(far.last('INVITE'), 183, reliable(20, 7))
  await settle()
  far.answer(far.last('PRACK'), 200)
  expect((await ask('UPDATE', 22)).answers.map(summary)).toEqual(['200 40'])
  far.answer(far.last('INVITE'), 200, described(20))
  await settle()
  expect(near.events).toEqual(['progress 183 20', 'offered 22', 'answered 22'])
})
