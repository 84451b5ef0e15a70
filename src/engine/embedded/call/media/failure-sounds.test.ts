/** D270: what an agent listens to after the destination could not be reached. */
import { expect, test } from 'vitest'
import type { Cause } from '../../../../contract/calls/causes.ts'
import { placeCall } from '../placed-call.ts'
import { buildResponseFor } from '../testing/messages.ts'
import { callingOf, callRequest, createStage, description } from '../testing/stage.ts'
import { createAnnouncementLegs } from './announcement-legs.ts'
import { createFailureSounds } from './failure-sounds.ts'

const ok = buildResponseFor(200)
const failureSound = createFailureSounds({ toneSeconds: 3, announcements: new Map() })

/** The agent has picked up, and the destination is being dialled. */
async function dial() {
  const stage = createStage()
  const announcementLegs = createAnnouncementLegs(stage.timers)
  const deps = { ...stage.deps, failureSound, announcementLegs, inviteExtension: () => callingOf('1000') }
  let isOver = false
  const call = placeCall(deps, callRequest, () => {
    isOver = true
  })
  await stage.settle()
  const agent = stage.outgoing[0]
  agent?.listener.onAnswered(description(4000), ok)
  await stage.settle()
  const fail = async (status: number) => {
    stage.outgoing[1]?.listener.onFailed({ status, why: 'refused' })
    await stage.settle()
  }
  return {
    ...stage,
    call,
    announcementLegs,
    fail,
    agent,
    isOver: () => isOver,
    played: () => stage.sound.at(-1),
  }
}

test('the call is over at once; its agent hears a tone, then is hung up and the ports are free', async () => {
  const { fail, played, agent, ended, isOver, soundsOpen, timers, settle } = await dial()
  await fail(486)
  expect([played(), ended(), isOver()]).toEqual([
    '425 Hz to extension',
    expect.objectContaining({ cause: 'USER_BUSY', by: 'other' }),
    true,
  ])
  timers.advance(2_999)
  expect([agent?.said, soundsOpen()]).toEqual([[], 1])
  timers.advance(1)
  await settle()
  expect([agent?.said.length, soundsOpen(), timers.waiting()]).toEqual([1, 0, 0])
})

test('an agent who hangs up, is called again, or whose service stops listens no longer', async () => {
  for (const stop of [
    ({ agent }: Awaited<ReturnType<typeof dial>>) => agent?.listener.onEnded({ why: 'bye' }),
    ({ announcementLegs }: Awaited<ReturnType<typeof dial>>) =>
      announcementLegs.endFor(callRequest.extension),
    ({ announcementLegs }: Awaited<ReturnType<typeof dial>>) => announcementLegs.endAll(),
  ]) {
    const world = await dial()
    await world.fail(503)
    stop(world)
    await world.settle()
    expect([world.soundsOpen(), world.timers.waiting(), world.emitted().at(-1)]).toEqual([0, 0, 'ended'])
  }
})

test('a call that the interface ends has no tone', async () => {
  const { call, agent, settle, soundsOpen } = await dial()
  call.hangUp()
  await settle()
  expect([agent?.said.length, soundsOpen()]).toEqual([1, 0])
})

test.each([
  ['USER_BUSY', { request: { sound: 'announcement USER_BUSY' }, ms: 900 }],
  ['NO_ANSWER', { request: { sound: 'announcement default' }, ms: 4_000 }],
] as [Cause, object][])('an announcement of the operator is played for %s', (cause, sound) => {
  const announcements = new Map<Cause | 'default', number>([
    ['USER_BUSY', 900],
    ['default', 4_000],
  ])
  expect(createFailureSounds({ toneSeconds: 3, announcements })(cause)).toEqual(sound)
})

test('without announcements it is the busy or the congestion tone, or none', () => {
  expect(failureSound('NO_ANSWER')?.request).toMatchObject({ tone: { cadence: [250, 250] } })
  expect(failureSound('UNALLOCATED_NUMBER')?.request).toMatchObject({
    tone: { cadence: [250, 250, 750, 250] },
  })
  expect(createFailureSounds({ toneSeconds: 0, announcements: new Map() })('USER_BUSY')).toBeUndefined()
})
