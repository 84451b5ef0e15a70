/** D273: phones that redirect their calls. */
import { expect, test } from 'vitest'
import type { Cause } from '../../../contract/calls/causes.ts'
import { buildResponse } from '../../../sip/message/response.ts'
import type { AcceptedCall, CallEvent, RejectedCall } from '../../port.ts'
import type { Forward } from './forwarding.ts'
import { takeIncomingCall } from './incoming-call.ts'
import { buildResponseFor } from './testing/messages.ts'
import { callRequest, createStage, description, incomingLeg } from './testing/stage.ts'

const ok = buildResponseFor(200)
const colleague = { domain: 'acme.example', number: '1001' }
const target: AcceptedCall = { ...callRequest, callId: 'forwarded', destination: { number: '5511987654321' } }

const redirect = (contact: string, status = 302) => {
  const response = buildResponse({ method: 'INVITE', headers: [] }, status, {
    headers: [['Contact', contact]],
  })
  return { status, why: 'refused', response } as const
}

/** A carrier's call to an extension whose phone rings. */
async function ring(admitted: AcceptedCall | RejectedCall = target, isFollowed = true) {
  const stage = createStage()
  stage.setRoutes([() => stage.route('colleague', 'phone')])
  const events: CallEvent[] = []
  const dialled: string[] = []
  let end: (cause?: Cause) => void = () => {}
  const forward: Forward = async (extension, number, hangUp) => {
    dialled.push(`${extension.number} dials ${number}`)
    end = hangUp
    return admitted
  }
  const leg = incomingLeg()
  await takeIncomingCall(
    {
      ...stage.deps,
      emit: (event) => void events.push(event),
      ...(isFollowed && { forward }),
      admit: async () => ({ ...callRequest, destination: { extension: colleague } }),
      onStarted() {},
      onOver() {},
    },
    leg.leg,
    { from: { trunk: 'main', callerId: undefined }, dialled: '554830001000' },
  )
  const fail = async (attempt: number, failure: ReturnType<typeof redirect>) => {
    stage.outgoing[attempt]?.listener.onFailed(failure)
    await stage.settle()
  }
  const summary = () =>
    events.map((event) => `${event.callId === 'forwarded' ? 'forwarded' : 'call'} ${event.type}`)
  return { ...stage, ...leg, dialled, events, summary, fail, end: (cause?: Cause) => end(cause) }
}

test('the target is dialled as a call of the extension, and both are answered and end together', async () => {
  const { fail, dialled, outgoing, settle, summary, said, events, released } = await ring()
  outgoing[0]?.listener.onProgress(180, undefined)
  await fail(0, redirect('<sip:11987654321@192.0.2.7;user=phone>'))
  expect(dialled).toEqual(['1001 dials 11987654321'])
  outgoing[1]?.listener.onProgress(180, undefined)
  outgoing[1]?.listener.onAnswered(description(6000), ok)
  await settle()
  expect(said).toEqual(['180', '200 at 20002'])
  outgoing[1]?.listener.onEnded({ why: 'bye' })
  await settle()
  expect(summary()).toEqual([
    'call ringing',
    'forwarded progress',
    'call answered',
    'forwarded answered',
    'forwarded ended',
    'call ended',
  ])
  expect(events.at(-2)).toMatchObject({ cause: 'NORMAL_CLEARING', by: 'extension' })
  expect(released).toHaveLength(2)
})

test('a target that is not admitted, or redirects again, ends the call', async () => {
  const barred = await ring({ rejected: 'OUTGOING_CALL_BARRED' })
  await barred.fail(0, redirect('<tel:+5511987654321>'))
  expect([barred.dialled, barred.said, barred.summary()]).toEqual([
    ['1001 dials +5511987654321'],
    ['403'],
    ['call ended'],
  ])
  const circling = await ring()
  await circling.fail(0, redirect('<sip:1002@acme.example>'))
  await circling.fail(1, redirect('<sip:1001@acme.example>'))
  expect([circling.dialled.length, circling.summary()]).toEqual([1, ['forwarded ended', 'call ended']])
})

test('the end of its credit ends both; a caller who gave up meanwhile leaves no call behind', async () => {
  const poor = await ring()
  await poor.fail(0, redirect('<sip:11987654321@192.0.2.7>'))
  poor.end('ALLOTTED_TIMEOUT')
  await poor.settle()
  expect(poor.events.map((event) => event.type === 'ended' && event.cause)).toEqual([
    'ALLOTTED_TIMEOUT',
    'ALLOTTED_TIMEOUT',
  ])
  const gone = await ring()
  gone.outgoing[0]?.listener.onFailed(redirect('<sip:11987654321@192.0.2.7>'))
  gone.listener().onCancelled()
  await gone.settle()
  expect([gone.summary().toSorted(), gone.outgoing.length]).toEqual([['call ended', 'forwarded ended'], 1])
})

test('it is not followed unless the operator allows it, nor without a number', async () => {
  const off = await ring(target, false)
  await off.fail(0, redirect('<sip:11987654321@192.0.2.7>'))
  expect([off.outgoing.length, off.summary()]).toEqual([1, ['call ended']])
  const nowhere = await ring()
  await nowhere.fail(0, redirect('<sip:192.0.2.7>'))
  expect([nowhere.dialled, nowhere.summary()]).toEqual([[], ['call ended']])
})
