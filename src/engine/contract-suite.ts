/** What every voice engine must do, in the words of the port. Each adapter runs this list in a world of its own. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Cause } from '../contract/causes.ts'
import type { CallEvent, CallRequest, ExtensionName, RegistrationEvent, VoiceEngine } from './port.ts'

type Refusal = 'busy' | 'declined'

/** What somebody at a phone does with the call that has reached it, or will in a moment. */
export type Person = {
  rings(): Promise<void>
  answers(): Promise<void>
  refuses(why: Refusal): Promise<void>
  hangsUp(): Promise<void>
}

export type World = {
  engine: VoiceEngine
  /** Its phone is registered. */
  extension: ExtensionName
  /** A wish to call the destination from the extension. */
  wish(change?: Partial<CallRequest>): CallRequest
  atExtension: Person
  atDestination: Person
  /** All that was told so far. */
  told: CallEvent[]
  toldOfPhones: RegistrationEvent[]
  /** The event, as soon as it is told. */
  until(callId: string, type: CallEvent['type']): Promise<CallEvent>
  /** Lets time pass, for limits of a call. */
  pass(seconds: number): Promise<void>
  close(): Promise<void>
}

type Stage = 'ringing' | 'dialling' | 'talking'

const causesOfRefusals: Record<Refusal, Cause> = { busy: 'USER_BUSY', declined: 'CALL_REJECTED' }

/** `refusals` are those that the people of this world know. */
export function describeEngine(
  name: string,
  makeWorld: () => Promise<World>,
  { refusals = ['busy', 'declined'] }: { refusals?: Refusal[] } = {},
) {
  const refusing = refusals.map((why) => [why, causesOfRefusals[why]] as const)
  describe(`${name}, as every voice engine`, () => {
    let world: World
    beforeEach(async () => {
      world = await makeWorld()
    })
    afterEach(() => world.close())

    const kinds = (callId: string) =>
      world.told.filter((event) => event.callId === callId).map(({ type }) => type)

    async function endOf(callId: string) {
      const end = await world.until(callId, 'ended')
      expect(kinds(callId).filter((type) => type === 'ended')).toHaveLength(1)
      expect(kinds(callId).at(-1)).toBe('ended')
      expect(world.engine.liveCalls()).not.toContain(callId)
      return end.type === 'ended' ? { cause: end.cause, by: end.by } : undefined
    }

    async function placeUntil(stage: Stage, change: Partial<CallRequest> = {}): Promise<string> {
      const wish = world.wish(change)
      const { callId } = wish
      world.engine.place(wish)
      await world.atExtension.rings()
      await world.until(callId, 'ringing')
      if (stage === 'ringing') return callId
      await world.atExtension.answers()
      await world.until(callId, 'extensionAnswered')
      await world.atDestination.rings()
      await world.until(callId, 'progress')
      if (stage === 'dialling') return callId
      await world.atDestination.answers()
      await world.until(callId, 'answered')
      return callId
    }

    test('takes a call on at once and tells of it afterwards', async () => {
      const wish = world.wish()
      world.engine.place(wish)
      expect(world.told).toEqual([])
      expect(world.engine.liveCalls()).toEqual([wish.callId])
      world.engine.hangUp(wish.callId)
      await endOf(wish.callId)
    })

    test('tells the life of a call in order, each event once, times never going back', async () => {
      const callId = await placeUntil('talking')
      await world.atDestination.hangsUp()
      expect(await endOf(callId)).toEqual({ cause: 'NORMAL_CLEARING', by: 'other' })
      expect(kinds(callId)).toEqual(['ringing', 'extensionAnswered', 'progress', 'answered', 'ended'])
      const times = world.told.map(({ at }) => at.getTime())
      expect(times).toEqual(times.toSorted((a, b) => a - b))
    })

    test.each(refusing)('an extension that is %s ends the call with %s', async (why, cause) => {
      const wish = world.wish()
      world.engine.place(wish)
      await world.atExtension.refuses(why)
      expect(await endOf(wish.callId)).toEqual({ cause, by: 'extension' })
      expect(kinds(wish.callId)).not.toContain('extensionAnswered')
    })

    test.each(refusing)('a destination that is %s ends the call with %s', async (why, cause) => {
      const callId = await placeUntil('dialling')
      await world.atDestination.refuses(why)
      expect(await endOf(callId)).toEqual({ cause, by: 'other' })
    })

    test('an extension that nobody answers rings as long as the limit says', async () => {
      const callId = await placeUntil('ringing', { limits: { ring: 10, answer: 60, talk: 60 } })
      await world.pass(10)
      expect(await endOf(callId)).toEqual({ cause: 'NO_ANSWER', by: 'service' })
    })

    test('a destination that nobody answers rings as long as the limit says', async () => {
      const callId = await placeUntil('dialling', { limits: { ring: 60, answer: 10, talk: 60 } })
      await world.pass(10)
      expect(await endOf(callId)).toEqual({ cause: 'NO_ANSWER', by: 'service' })
    })

    test('a talk ends when its time is used up', async () => {
      const callId = await placeUntil('talking', { limits: { ring: 60, answer: 60, talk: 10 } })
      await world.pass(10)
      expect(await endOf(callId)).toEqual({ cause: 'ALLOTTED_TIMEOUT', by: 'service' })
    })

    test('a caller who gives up while the destination rings cancels', async () => {
      const callId = await placeUntil('dialling')
      await world.atExtension.hangsUp()
      expect(await endOf(callId)).toEqual({ cause: 'ORIGINATOR_CANCEL', by: 'extension' })
    })

    test('a caller who hangs up in the talk ends it normally', async () => {
      const callId = await placeUntil('talking')
      await world.atExtension.hangsUp()
      expect(await endOf(callId)).toEqual({ cause: 'NORMAL_CLEARING', by: 'extension' })
    })

    test.each<[Stage, Cause]>([
      ['ringing', 'ORIGINATOR_CANCEL'],
      ['dialling', 'ORIGINATOR_CANCEL'],
      ['talking', 'NORMAL_CLEARING'],
    ])('hung up by us while %s, a call ends with %s', async (stage, cause) => {
      const callId = await placeUntil(stage)
      expect(world.engine.hangUp(callId)).toBe(true)
      expect(await endOf(callId)).toEqual({ cause, by: 'service' })
      expect(world.engine.hangUp(callId)).toBe(false)
    })

    test('hung up with a cause, a call ends with it', async () => {
      const callId = await placeUntil('talking')
      world.engine.hangUp(callId, 'ALLOTTED_TIMEOUT')
      expect(await endOf(callId)).toEqual({ cause: 'ALLOTTED_TIMEOUT', by: 'service' })
    })

    test('hanging up what is not there says so', () => {
      expect(world.engine.hangUp('0193a2f4-7a3c-7c1e-9d3b-5f1e2a4b6c8d')).toBe(false)
    })

    test('an extension without a phone ends the call at once', async () => {
      const wish = world.wish({ extension: { ...world.extension, number: '9999' } })
      world.engine.place(wish)
      expect(await endOf(wish.callId)).toEqual({ cause: 'USER_NOT_REGISTERED', by: 'service' })
    })

    test('a colleague without a phone ends the call when it is his turn', async () => {
      const destination = { extension: { ...world.extension, number: '9999' } }
      const wish = world.wish({ destination })
      world.engine.place(wish)
      await world.atExtension.rings()
      await world.atExtension.answers()
      expect(await endOf(wish.callId)).toEqual({ cause: 'USER_NOT_REGISTERED', by: 'service' })
    })

    test('knows the phone of an extension until it must forget it', () => {
      const { engine, extension } = world
      expect(engine.registration(extension)?.extension).toEqual(extension)
      engine.forget(extension)
      expect(engine.registration(extension)).toBeUndefined()
      expect(world.toldOfPhones.at(-1)).toEqual({ type: 'unregistered', extension })
    })

    test('stopping ends every call and tells so before it is done', async () => {
      const callId = await placeUntil('talking')
      await world.engine.stop()
      expect(kinds(callId).at(-1)).toBe('ended')
      expect(world.engine.liveCalls()).toEqual([])
    })
  })
}
