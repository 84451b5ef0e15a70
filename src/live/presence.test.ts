import { expect, test } from 'vitest'
import type { LiveParties } from '../calls/list/live-parties-store.ts'
import { activitiesOf, presenceOf } from './presence.ts'

const customer = '5548999998888'
let calls = 0

function callOf(change: Partial<LiveParties>): LiveParties {
  calls += 1
  return {
    id: `call ${calls}`,
    call_type: 'outbound',
    status: 'answered',
    from_number: '1000',
    to_number: customer,
    transfer_of: null,
    transferred_at: null,
    ...change,
  }
}

const activities = (...given: LiveParties[]) => Object.fromEntries(activitiesOf(given))

test.each([
  ['queued', { 1000: 'ringing' }],
  ['ringing', { 1000: 'ringing' }],
  ['connecting', { 1000: 'in-call' }],
  ['answered', { 1000: 'in-call' }],
] as const)('the extension of an outbound call that is %s: %j', (status, expected) => {
  expect(activities(callOf({ status }))).toEqual(expected)
})

test.each([
  ['queued', { 1000: 'ringing' }],
  ['ringing', { 1000: 'ringing' }],
  ['answered', { 1000: 'in-call' }],
] as const)('the extension that is called from outside while the call is %s: %j', (status, expected) => {
  const inbound = { call_type: 'inbound', from_number: customer, to_number: '1000', status } as const
  expect(activities(callOf(inbound))).toEqual(expected)
})

test.each([
  ['queued', { 1000: 'ringing' }],
  ['connecting', { 1000: 'in-call', 1001: 'ringing' }],
  ['answered', { 1000: 'in-call', 1001: 'in-call' }],
] as const)('both extensions of an internal call that is %s: %j', (status, expected) => {
  expect(activities(callOf({ call_type: 'internal', to_number: '1001', status }))).toEqual(expected)
})

test('who talks while a second call rings is in a call', () => {
  const second = {
    call_type: 'inbound',
    from_number: customer,
    to_number: '1000',
    status: 'ringing',
  } as const
  expect(activities(callOf(second), callOf({}))).toEqual({ 1000: 'in-call' })
  expect(activities(callOf({}), callOf(second))).toEqual({ 1000: 'in-call' })
})

test('who transferred a call has left it, also when it is transferred again and comes back', () => {
  const first = callOf({})
  const dialled = callOf({
    call_type: 'internal',
    to_number: '1001',
    status: 'connecting',
    transfer_of: first.id,
  })
  expect(activities(first, dialled)).toEqual({ 1000: 'in-call', 1001: 'ringing' })
  const second = { ...dialled, status: 'answered', transferred_at: new Date() } as const
  expect(activities(first, second)).toEqual({ 1001: 'in-call' })
  const third = callOf({ ...second, id: 'third', from_number: '1001', to_number: '1002' })
  expect(activities(first, second, third)).toEqual({ 1002: 'in-call' })
  const back = callOf({ ...second, id: 'back', from_number: '1002', to_number: '1000' })
  expect(activities(back, third, second, first)).toEqual({ 1000: 'in-call' })
})

test('the state that keeps a call from being answered has precedence', () => {
  expect(presenceOf({ isRegistered: false, isUndisturbed: true }, undefined)).toBe('offline')
  expect(presenceOf({ isRegistered: true, isUndisturbed: true }, 'in-call')).toBe('do-not-disturb')
  expect(presenceOf({ isRegistered: true, isUndisturbed: false }, 'ringing')).toBe('ringing')
  expect(presenceOf({ isRegistered: true, isUndisturbed: false }, undefined)).toBe('free')
})
