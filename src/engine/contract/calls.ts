/** The life of a placed call: order of events, causes, limits, hanging up. */
import { expect, test } from 'vitest'
import type { Cause } from '../../contract/calls/causes.ts'
import type { Stage, Steps } from './steps.ts'
import type { Refusal, World } from './world.ts'

const causesOfRefusals: Record<Refusal, Cause> = { busy: 'USER_BUSY', declined: 'CALL_REJECTED' }

type Given = { getWorld: () => World; steps: Steps; refusals: Refusal[] }

export function testCalls({ getWorld, steps, refusals }: Given) {
  const { typesOf, endOf, placeUntil } = steps
  const refusing = refusals.map((why) => [why, causesOfRefusals[why]] as const)

  test('place returns at once, and events come afterwards', async () => {
    const request = getWorld().request()
    getWorld().engine.place(request)
    expect(getWorld().events).toEqual([])
    expect(getWorld().engine.liveCalls()).toEqual([request.callId])
    getWorld().engine.hangUp(request.callId)
    await endOf(request.callId)
  })

  test('events of a call come in order, each once, with times that never decrease', async () => {
    const callId = await placeUntil('talking')
    await getWorld().atDestination.hangsUp()
    expect(await endOf(callId)).toEqual({ cause: 'NORMAL_CLEARING', by: 'other' })
    expect(typesOf(callId)).toEqual(['ringing', 'extensionAnswered', 'progress', 'answered', 'ended'])
    const times = getWorld().events.map(({ at }) => at.getTime())
    expect(times).toEqual(times.toSorted((a, b) => a - b))
  })

  test.each(refusing)('an extension that is %s ends the call with %s', async (why, cause) => {
    const request = getWorld().request()
    getWorld().engine.place(request)
    await getWorld().atExtension.refuses(why)
    expect(await endOf(request.callId)).toEqual({ cause, by: 'extension' })
    expect(typesOf(request.callId)).not.toContain('extensionAnswered')
  })

  test.each(refusing)('a destination that is %s ends the call with %s', async (why, cause) => {
    const callId = await placeUntil('dialling')
    await getWorld().atDestination.refuses(why)
    expect(await endOf(callId)).toEqual({ cause, by: 'other' })
  })

  test('an extension that nobody answers rings until its limit', async () => {
    const callId = await placeUntil('ringing', { limits: { ring: 10, answer: 60, talk: 60 } })
    await getWorld().pass(10)
    expect(await endOf(callId)).toEqual({ cause: 'NO_ANSWER', by: 'service' })
  })

  test('a destination that nobody answers rings until its limit', async () => {
    const callId = await placeUntil('dialling', { limits: { ring: 60, answer: 10, talk: 60 } })
    await getWorld().pass(10)
    expect(await endOf(callId)).toEqual({ cause: 'NO_ANSWER', by: 'service' })
  })

  test('a call ends when its talk limit is reached', async () => {
    const callId = await placeUntil('talking', { limits: { ring: 60, answer: 60, talk: 10 } })
    await getWorld().pass(10)
    expect(await endOf(callId)).toEqual({ cause: 'ALLOTTED_TIMEOUT', by: 'service' })
  })

  test('a caller who hangs up while the destination rings cancels the call', async () => {
    const callId = await placeUntil('dialling')
    await getWorld().atExtension.hangsUp()
    expect(await endOf(callId)).toEqual({ cause: 'ORIGINATOR_CANCEL', by: 'extension' })
  })

  test('a caller who hangs up after the answer ends the call normally', async () => {
    const callId = await placeUntil('talking')
    await getWorld().atExtension.hangsUp()
    expect(await endOf(callId)).toEqual({ cause: 'NORMAL_CLEARING', by: 'extension' })
  })

  test.each<[Stage, Cause]>([
    ['ringing', 'ORIGINATOR_CANCEL'],
    ['dialling', 'ORIGINATOR_CANCEL'],
    ['talking', 'NORMAL_CLEARING'],
  ])('a call that the service hangs up while %s ends with %s', async (stage, cause) => {
    const callId = await placeUntil(stage)
    expect(getWorld().engine.hangUp(callId)).toBe(true)
    expect(await endOf(callId)).toEqual({ cause, by: 'service' })
    expect(getWorld().engine.hangUp(callId)).toBe(false)
  })

  test('a call hung up with a cause ends with that cause', async () => {
    const callId = await placeUntil('talking')
    getWorld().engine.hangUp(callId, 'ALLOTTED_TIMEOUT')
    expect(await endOf(callId)).toEqual({ cause: 'ALLOTTED_TIMEOUT', by: 'service' })
  })

  test('hangUp returns false for a call that is not live', () => {
    expect(getWorld().engine.hangUp('0193a2f4-7a3c-7c1e-9d3b-5f1e2a4b6c8d')).toBe(false)
  })

  test('an extension without a phone ends the call at once', async () => {
    const request = getWorld().request({ extension: { ...getWorld().extension, number: '9999' } })
    getWorld().engine.place(request)
    expect(await endOf(request.callId)).toEqual({ cause: 'USER_NOT_REGISTERED', by: 'service' })
  })

  test('a destination extension without a phone ends the call once it is dialled', async () => {
    const destination = { extension: { ...getWorld().extension, number: '9999' } }
    const request = getWorld().request({ destination })
    getWorld().engine.place(request)
    await getWorld().atExtension.rings()
    await getWorld().atExtension.answers()
    expect(await endOf(request.callId)).toEqual({ cause: 'USER_NOT_REGISTERED', by: 'service' })
  })

  test('a registration is known until the extension is forgotten', () => {
    const { engine, extension } = getWorld()
    expect(engine.registration(extension)?.extension).toEqual(extension)
    engine.forget(extension)
    expect(engine.registration(extension)).toBeUndefined()
    expect(getWorld().registrationEvents.at(-1)).toEqual({ type: 'unregistered', extension })
  })

  test('stop ends every call, with its event, before it resolves', async () => {
    const callId = await placeUntil('talking')
    await getWorld().engine.stop()
    expect(typesOf(callId).at(-1)).toBe('ended')
    expect(getWorld().engine.liveCalls()).toEqual([])
  })
}
