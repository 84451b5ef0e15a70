/** The numbered duties of the port, as far as they are visible from outside. */
import { randomUUID } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { powerShare } from '../../media/sound/spectrum.ts'
import type { AcceptedCall, Recording } from '../port.ts'
import type { Steps } from './steps.ts'
import type { Ability, World } from './world.ts'

const wavHeaderLength = 44
const sampleBytes = 2
const number = '5548999998888'
const limits = { ring: 60, answer: 60, talk: 60 }

type Given = { getWorld: () => World; steps: Steps; cannot: ReadonlySet<Ability> }

export function testDuties({ getWorld, steps, cannot }: Given) {
  const { typesOf, endOf, placeUntil, can } = steps
  const needs = (...abilities: Ability[]) => test.skipIf(abilities.some((ability) => cannot.has(ability)))

  const accepted = (change: Partial<AcceptedCall> = {}): AcceptedCall => ({
    callId: randomUUID(),
    destination: { number },
    presented: undefined,
    record: false,
    limits,
    ...change,
  })

  async function dial(change: Partial<AcceptedCall> = {}): Promise<string> {
    const { admitWith, dial } = can('incoming')
    const answer = accepted(change)
    admitWith(answer)
    await dial('48999998888')
    return answer.callId
  }

  async function bring(change: Partial<AcceptedCall> = {}): Promise<string> {
    const { admitWith, bring } = can('incoming')
    const { extension } = getWorld()
    const answer = accepted({ destination: { extension }, presented: { number: '5511987654321' }, ...change })
    admitWith(answer)
    await bring('554830001000', '5511987654321')
    return answer.callId
  }

  needs('incoming')('a phone that dials is connected to where the host says', async () => {
    const callId = await dial()
    await getWorld().atDestination.rings()
    await getWorld().until(callId, 'progress')
    await getWorld().atDestination.answers()
    await getWorld().until(callId, 'answered')
    await getWorld().atDestination.hangsUp()
    expect(await endOf(callId)).toEqual({ cause: 'NORMAL_CLEARING', by: 'other' })
    expect(typesOf(callId)).toEqual(['extensionAnswered', 'progress', 'answered', 'ended'])
    const { extension } = getWorld()
    expect(can('incoming').calls).toMatchObject([{ from: { extension }, dialled: '48999998888' }])
  })

  needs('incoming')('a call from a carrier rings the extension, with the caller as it came', async () => {
    const callId = await bring()
    await getWorld().atExtension.rings()
    await getWorld().until(callId, 'ringing')
    await getWorld().atExtension.answers()
    await getWorld().until(callId, 'answered')
    await getWorld().atExtension.hangsUp()
    expect(await endOf(callId)).toEqual({ cause: 'NORMAL_CLEARING', by: 'extension' })
    expect(typesOf(callId)).toEqual(['ringing', 'answered', 'ended'])
    const from = { callerId: { number: '5511987654321' } }
    expect(can('incoming').calls).toMatchObject([{ from, dialled: '554830001000' }])
  })

  needs('incoming')('an incoming call that the host rejects has no events', async () => {
    const { admitWith, bring, calls } = can('incoming')
    admitWith({ rejected: 'UNALLOCATED_NUMBER' })
    await bring('554830001000', '5511987654321')
    await expect.poll(() => calls.length).toBe(1)
    expect([getWorld().events, getWorld().engine.liveCalls()]).toEqual([[], []])
  })

  needs('incoming')('an incoming call rings until its answer limit', async () => {
    const callId = await bring({ limits: { ring: 5, answer: 10, talk: 60 } })
    await getWorld().atExtension.rings()
    await getWorld().until(callId, 'ringing')
    await getWorld().pass(10)
    expect(await endOf(callId)).toEqual({ cause: 'NO_ANSWER', by: 'service' })
  })

  needs('incoming')('an incoming call ends when its talk limit is reached', async () => {
    const callId = await bring({ limits: { ring: 60, answer: 60, talk: 10 } })
    await getWorld().atExtension.rings()
    await getWorld().atExtension.answers()
    await getWorld().until(callId, 'answered')
    await getWorld().pass(10)
    expect(await endOf(callId)).toEqual({ cause: 'ALLOTTED_TIMEOUT', by: 'service' })
  })

  needs('restart', 'killed')('duty 2: calls of a killed process are ended at the next start', async () => {
    const callId = await placeUntil('talking')
    const before = getWorld().events.length
    await can('restart')('killed')
    expect(getWorld().engine.liveCalls()).toEqual([])
    expect(getWorld().engine.hangUp(callId)).toBe(false)
    expect(getWorld().events).toHaveLength(before)
  })

  needs('restart')('duty 3: a phone is reached after a restart without registering again', async () => {
    await can('restart')('stopped')
    expect(getWorld().engine.registration(getWorld().extension)).toBeDefined()
    const callId = await placeUntil('ringing')
    getWorld().engine.hangUp(callId)
    await endOf(callId)
  })

  needs('register')('duty 4 (D76): the newest phone wins, and the displaced one stays out', async () => {
    const register = can('register')
    expect(await register({ name: 'older' })).toBe(true)
    expect(await register({ name: 'newer' })).toBe(true)
    expect(getWorld().registrationEvents.map(({ type }) => type)).toContain('displaced')
    expect(await register({ name: 'older' })).toBe(false)
    expect(await register({ name: 'newer' })).toBe(true)
  })

  needs('extensionInvite')(
    'duty 5 (D77): the extension sees that the call was placed, and its id',
    async () => {
      const callId = await placeUntil('ringing')
      expect(await can('extensionInvite')()).toMatchObject({
        'X-Api4comintegratedcall': 'true',
        'X-Call-Id': callId,
      })
    },
  )

  needs('register')('duty 6 (D111): an unknown extension is refused like a wrong password', async () => {
    const register = can('register')
    const timed = async (phone: Parameters<typeof register>[0]) => {
      const began = performance.now()
      expect(await register(phone)).toBe(false)
      return performance.now() - began
    }
    // A pause of the machine may slow either of them down once; it does not do so three times.
    let difference = Number.POSITIVE_INFINITY
    for (let round = 0; round < 3 && difference >= 200; round += 1) {
      const wrong = await timed({ name: 'a', password: 'wrong' })
      const unknown = await timed({ name: 'b', number: '987654' })
      difference = Math.abs(wrong - unknown)
    }
    expect(difference).toBeLessThan(200)
  })

  needs('trunks')('duty 7 (D118): a call goes on by the second trunk when the first fails', async () => {
    const { failFirst, reachedBy, second } = can('trunks')
    await failFirst()
    await placeUntil('talking')
    expect((await reachedBy()).trunk).toBe(second)
  })

  needs('trunks')('duty 7 (D118): once the destination rang, no other trunk is tried', async () => {
    const { reachedBy, first } = can('trunks')
    const callId = await placeUntil('dialling')
    await getWorld().atDestination.refuses('busy')
    expect(await endOf(callId)).toEqual({ cause: 'USER_BUSY', by: 'other' })
    expect((await reachedBy()).trunk).toBe(first)
  })

  needs('silence')('duty 8 (D123): a call without sound from either side ends', async () => {
    const callId = await placeUntil('talking')
    await can('silence')('extension', 'other')
    expect(await endOf(callId)).toEqual({ cause: 'MEDIA_TIMEOUT', by: 'service' })
  })

  needs('silence')('duty 8 (D123): one silent side does not end a call', async () => {
    const callId = await placeUntil('talking')
    await can('silence')('other')
    expect(getWorld().engine.liveCalls()).toEqual([callId])
  })

  needs('trunks')('duty 9: the destination sees the presented number', async () => {
    await placeUntil('dialling', { presented: { number: '554830001000' } })
    expect((await can('trunks').reachedBy()).presented).toBe('554830001000')
  })

  needs('trunks')('duty 9: without a presented number, the destination sees that of the trunk', async () => {
    const { reachedBy, firstNumber } = can('trunks')
    await placeUntil('dialling', { presented: undefined })
    expect((await reachedBy()).presented).toBe(firstNumber)
  })

  async function record(): Promise<{ callId: string; recording: Recording }> {
    const callId = await placeUntil('talking', { record: true })
    await can('recording').talk()
    await getWorld().atDestination.hangsUp()
    const end = await getWorld().until(callId, 'ended')
    if (end.type !== 'ended' || !end.recording) throw new Error('nothing was recorded')
    return { callId, recording: end.recording }
  }

  async function abandoned(): Promise<string[]> {
    const ids: string[] = []
    for await (const { callId } of getWorld().engine.abandonedRecordings()) ids.push(callId)
    return ids
  }

  needs('recording')('duty 10: a recorded call ends with its recording, held until discarded', async () => {
    const { recording } = await record()
    expect(recording.seconds).toBeGreaterThan(0)
    const file = await buffer(await recording.open())
    expect(file).toHaveLength(recording.bytes)
    expect(await buffer(await recording.open())).toHaveLength(recording.bytes)
    await recording.discard()
    await recording.discard()
    expect(await abandoned()).toEqual([])
  })

  needs('recording')('a call that is not to be recorded has no recording', async () => {
    const callId = await placeUntil('talking')
    await can('recording').talk()
    await getWorld().atDestination.hangsUp()
    expect(await getWorld().until(callId, 'ended')).not.toHaveProperty('recording')
  })

  needs('recording', 'hertz')(
    'duty 10: the extension is on the left channel, the other side on the right',
    async () => {
      const { recording } = await record()
      const { extension = 0, other = 0 } = can('recording').hertz ?? {}
      const file = await buffer(await recording.open())
      const [left, right] = [channelOf(file, 0), channelOf(file, 1)]
      expect(powerShare(left, extension)).toBeGreaterThan(powerShare(left, other))
      expect(powerShare(right, other)).toBeGreaterThan(powerShare(right, extension))
    },
  )

  test('an extension that was put and forgotten has no registration', () => {
    const { engine, extension } = getWorld()
    engine.put({ extension: { ...extension, number: '2000' }, credentials: { password: 'secret' } })
    engine.forget({ ...extension, number: '2000' })
    expect(engine.registration({ ...extension, number: '2000' })).toBeUndefined()
  })
}

function channelOf(file: Buffer, channel: number): Int16Array {
  const frames = Math.floor((file.length - wavHeaderLength) / (2 * sampleBytes))
  return Int16Array.from({ length: frames }, (_, frame) =>
    file.readInt16LE(wavHeaderLength + (2 * frame + channel) * sampleBytes),
  )
}
