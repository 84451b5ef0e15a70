/** D318: a phone that loses its connection in a call, and comes back. */
import { expect, test } from 'vitest'
import { holdMusicName } from '../../../../media/sound/hold-music.ts'
import type { Call } from '../call.ts'
import { placeCall } from '../placed-call.ts'
import { buildResponseFor } from '../testing/messages.ts'
import { callingOf, callRequest, createStage, description, incomingLeg } from '../testing/stage.ts'
import { findDialog } from './transfers.ts'

const ok = buildResponseFor(200)
const awaySeconds = 20

/** Extension 1000 talks to a number, then the connection of its phone is lost. */
async function lose(seconds = awaySeconds) {
  const stage = createStage()
  const deps = { ...stage.deps, awaySeconds: seconds, inviteExtension: () => callingOf('1000') }
  const call: Call = placeCall(deps, callRequest, () => {})
  await stage.settle()
  const [phone] = stage.outgoing
  phone?.listener.onAnswered(description(4000), ok)
  await stage.settle()
  const [, carrier] = stage.outgoing
  carrier?.listener.onAnswered(description(6000), ok)
  await stage.settle()
  phone?.listener.onEnded({ why: 'disconnected' })
  await stage.settle()
  return { ...stage, call, carrier }
}

test('the call waits, the other side listens to music, and a new leg takes the place of the old one', async () => {
  const { call, sound, ended, timers, settle } = await lose()
  expect(ended()).toBeUndefined()
  expect(sound.at(-1)).toBe(`${holdMusicName} to other`)
  timers.advance((awaySeconds - 1) * 1000)
  const found = findDialog([call], callRequest.extension, 'leg')
  expect(found?.side).toBe('extension')
  const back = incomingLeg(description(4100))
  call.comeBack('extension', back.leg)
  await settle()
  expect(back.said).toEqual(['200 at 20000'])
  expect(sound.slice(-2)).toEqual(['extension at 4100 speaks PCMA', 'no tone to other'])
  timers.advance(awaySeconds * 1000)
  expect(ended()).toBeUndefined()
  back.listener().onEnded({ why: 'bye' })
  await settle()
  expect(ended()).toMatchObject({ cause: 'NORMAL_CLEARING', by: 'extension' })
})

test('nobody back in time ends the call, and so does the other side', async () => {
  const late = await lose()
  late.timers.advance(awaySeconds * 1000)
  await late.settle()
  expect(late.ended()).toMatchObject({ cause: 'RECOVERY_ON_TIMER_EXPIRE', by: 'extension' })
  expect(late.carrier?.said.join()).toContain('cancel')
  const back = incomingLeg(description(4100))
  late.call.comeBack('extension', back.leg)
  expect(back.said).toEqual(['481'])

  const impatient = await lose()
  impatient.carrier?.listener.onEnded({ why: 'bye' })
  await impatient.settle()
  impatient.timers.advance(awaySeconds * 1000)
  expect(impatient.events.filter(({ type }) => type === 'ended')).toMatchObject([{ by: 'other' }])
})

test('without time to wait the call ends at once', async () => {
  expect((await lose(0)).ended()).toMatchObject({ cause: 'RECOVERY_ON_TIMER_EXPIRE' })
})

test('a phone may come back more than once, and one without sound in common is refused', async () => {
  const { call, ended, timers } = await lose()
  const mute = incomingLeg(undefined)
  call.comeBack('extension', { ...mute.leg, remoteOffer: undefined })
  expect(mute.said).toEqual(['488'])
  const back = incomingLeg(description(4100))
  call.comeBack('extension', back.leg)
  back.listener().onEnded({ why: 'disconnected' })
  timers.advance((awaySeconds - 1) * 1000)
  const again = incomingLeg(description(4200))
  call.comeBack('extension', again.leg)
  expect([again.said, ended()]).toEqual([['200 at 20000'], undefined])
})

test('only the extension whose leg it is finds the call', async () => {
  const { call } = await lose()
  expect(findDialog([call], { domain: 'acme.example', number: '1001' }, 'leg')).toBeUndefined()
  expect(findDialog([call], { domain: 'other.example', number: '1000' }, 'leg')).toBeUndefined()
  expect(findDialog([call], callRequest.extension, 'another')).toBeUndefined()
})
