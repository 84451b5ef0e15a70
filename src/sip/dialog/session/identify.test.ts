/** D641: the identity of the party that a peer is connected to now (RFC 5876). */
import { expect, test } from 'vitest'
import { parseAddress } from '../../headers/address.ts'
import { firstValue } from '../../message/message.ts'
import { createScenes } from '../../user-agent/testing/scenes.ts'
import { described, settle } from '../../user-agent/testing/test-agents.ts'

const { called } = createScenes()
const party = parseAddress('"Ana" <sip:1001@acme.example>')
const asserted = '"Ana" <sip:1001@acme.example>'
const updating = ['Allow', 'INVITE, ACK, BYE, CANCEL, UPDATE'] as const

test('by UPDATE without SDP if the peer allows it; the session timer goes on', async () => {
  const { far, leg, near, pass } = await called([['Session-Expires', '300;refresher=uas'], updating])
  leg.identify(party)
  await settle()
  const { request } = far.last('UPDATE')
  expect([firstValue(request, 'P-Asserted-Identity'), request.body.length]).toEqual([asserted, 0])
  expect(firstValue(request, 'Session-Expires')).toBe('300;refresher=uas')
  far.answer(far.last('UPDATE'), 200, { headers: [['Session-Expires', '300;refresher=uas']] })
  await pass(200_000)
  expect(near.events).toEqual(['answered 20'])
  await pass(100_000)
  expect(near.events.at(-1)).toBe('ended session expired')
})

test('by an unchanged re-INVITE if the peer does not allow UPDATE', async () => {
  const { far, leg } = await called([])
  leg.identify(party)
  await settle()
  const invite = far.last('INVITE')
  expect(firstValue(invite.request, 'P-Asserted-Identity')).toBe(asserted)
  expect(`${invite.request.body}`).toBe(described(10).body)
  far.answer(invite, 200, described(20))
  await settle()
  expect(far.methods()).toEqual(['INVITE', 'ACK', 'INVITE', 'ACK'])
  leg.hangUp()
})

test('a refused UPDATE is followed by a re-INVITE, and a refused re-INVITE by nothing: the call goes on', async () => {
  const { far, leg, near, pass } = await called([updating])
  leg.identify(party)
  await settle()
  far.answer(far.last('UPDATE'), 403)
  await settle()
  expect(firstValue(far.last('INVITE').request, 'P-Asserted-Identity')).toBe(asserted)
  far.answer(far.last('INVITE'), 488)
  await pass(60_000)
  expect(far.methods().slice(2)).toEqual(['UPDATE', 'INVITE'])
  expect(near.events).toEqual(['answered 20'])
  leg.hangUp()
})

test('a leg that is over sends nothing', async () => {
  const { far, leg } = await called([updating])
  leg.hangUp()
  leg.identify(party)
  await settle()
  expect(far.methods()).toEqual(['INVITE', 'ACK', 'BYE'])
})
