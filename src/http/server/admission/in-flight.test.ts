import { EventEmitter } from 'node:events'
import type { FastifyReply } from 'fastify'
import { expect, test } from 'vitest'
import { createInFlight } from './in-flight.ts'

/** A request whose connection can be closed. */
function arrive(inFlight: ReturnType<typeof createInFlight>, address: string) {
  const raw = new EventEmitter()
  const place = inFlight.enter({ raw } as unknown as FastifyReply, address)
  return { place, close: () => raw.emit('close') }
}

const refused = expect.objectContaining({ code: 'SERVICE_UNAVAILABLE', retryAfter: 1 })

function refusalOf(work: () => unknown) {
  try {
    work()
  } catch (error) {
    return error
  }
  return expect.fail('not refused')
}

test('D228: a request beyond the most at once is refused, until one of them is answered', () => {
  const inFlight = createInFlight(1)
  const first = arrive(inFlight, '192.0.2.1')
  expect(refusalOf(() => arrive(inFlight, '192.0.2.1'))).toEqual(refused)
  first.close()
  expect(arrive(inFlight, '192.0.2.1')).toBeDefined()
})

test('D228: a request that moves to its account gives its place at the address back', () => {
  const inFlight = createInFlight(1)
  const first = arrive(inFlight, '192.0.2.1')
  first.place.moveTo(7)
  expect(refusalOf(() => arrive(inFlight, '192.0.2.2'))).toEqual(refused)
  first.close()
  const second = arrive(inFlight, '192.0.2.2')
  second.place.moveTo(7)
  second.close()
  expect(arrive(inFlight, '192.0.2.3')).toBeDefined()
})

test('D228: an account shares its places, whatever addresses its requests come from', () => {
  const inFlight = createInFlight(4)
  const arriveOf = (account: number, address: string) => arrive(inFlight, address).place.moveTo(account)
  arriveOf(7, '192.0.2.1')
  arriveOf(7, '192.0.2.2')
  arriveOf(7, '192.0.2.3')
  expect(refusalOf(() => arriveOf(7, '192.0.2.4'))).toEqual(refused)
  arriveOf(8, '192.0.2.5')
})

test('D228: a place that was left is given back once, and can be taken again', () => {
  const inFlight = createInFlight(1)
  const first = arrive(inFlight, '192.0.2.1')
  first.place.leave()
  const second = arrive(inFlight, '192.0.2.1')
  expect(refusalOf(() => first.place.take())).toEqual(refused)
  // It has none: that of the other is not given back.
  first.place.leave()
  expect(refusalOf(() => arrive(inFlight, '192.0.2.1'))).toEqual(refused)
  second.close()
  first.place.take()
  first.place.take()
  expect(refusalOf(() => arrive(inFlight, '192.0.2.1'))).toEqual(refused)
  first.close()
  expect(arrive(inFlight, '192.0.2.1')).toBeDefined()
})

test('D228: a request whose connection is closed takes no place any more', () => {
  const inFlight = createInFlight(1)
  const first = arrive(inFlight, '192.0.2.1')
  first.close()
  first.place.take()
  expect(arrive(inFlight, '192.0.2.1')).toBeDefined()
})
