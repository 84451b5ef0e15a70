/** D641: what phones are shown of a transfer. */
import { expect, test } from 'vitest'
import { callRequest, description } from '../testing/stage.ts'
import { ok, second, talk } from '../testing/talk.ts'

const extension = (number: string) => ({ extension: { domain: 'acme.example', number } })
const customer = callRequest.shown

test('the phone of the new party rings with the number of the side that stays, and the extension that transfers it', async () => {
  const { refer, routed, leg, settle } = await talk()
  await refer(0)
  expect(routed()).toMatchObject({
    presented: customer,
    isPrivate: false,
    referredBy: callRequest.extension,
  })
  leg(2).listener.onAnswered(description(7000), ok)
  await settle()
  // The carrier gets no extension, and the new party no identity that it already has.
  expect([leg(1).said, leg(2).said]).toEqual([[], []])
})

test('a new party outside is presented the number of the account', async () => {
  const presented = { number: '554830001000' }
  const { refer, routed } = await talk(() => ({
    ...second,
    presented,
    destination: { number: '5511988887777' },
  }))
  await refer(0)
  expect(routed()).toMatchObject({ presented, isPrivate: false, referredBy: undefined })
})

test('a phone that stays gets the identity of the new party once that has answered, and not before', async () => {
  const { refer, leg, settle } = await talk(undefined, extension('1002'))
  await refer(0)
  leg(2).listener.onProgress(180, undefined)
  expect(leg(1).said).toEqual([])
  leg(2).listener.onAnswered(description(7000), ok)
  await settle()
  expect(leg(1).said).toEqual(['connected to <sip:1001@acme.example>'])
})

test('after an attended transfer each of the two phones gets the identity of the other', async () => {
  const { refer, place, leg, timers, settle } = await talk(undefined, extension('1002'))
  await place(second.callId, extension('1003'))
  expect(await refer(2, 'leg')).toBe(202)
  timers.advance(0)
  await settle()
  expect(leg(1).said).toEqual(['connected to <sip:1003@acme.example>'])
  expect(leg(3).said).toEqual(['connected to <sip:1002@acme.example>'])
})

test('the customer of an attended transfer is shown to the new party', async () => {
  const { refer, place, leg, timers, settle } = await talk()
  await place(second.callId, extension('1003'))
  await refer(2, 'leg')
  timers.advance(0)
  await settle()
  expect([leg(1).said, leg(3).said]).toEqual([[], ['connected to <sip:5548999998888@acme.example>']])
})

test('a party behind two transfers is the one that is shown', async () => {
  const third = { ...second, callId: '019a0000-0000-7000-8000-000000000003', destination: extension('1004') }
  const answers = [second, third]
  const { refer, leg, routed, settle } = await talk(() => answers.shift() ?? second, extension('1002'))
  await refer(0)
  leg(2).listener.onAnswered(description(7000), ok)
  await settle()
  // The new party transfers in turn.
  await refer(2)
  expect(routed()).toMatchObject({ presented: { number: '1002' }, referredBy: { number: '1001' } })
  leg(3).listener.onAnswered(description(7100), ok)
  await settle()
  expect(leg(1).said).toEqual([
    'connected to <sip:1001@acme.example>',
    'connected to <sip:1004@acme.example>',
  ])
})
