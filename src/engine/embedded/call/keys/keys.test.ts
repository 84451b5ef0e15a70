/** D280: keys of a call in all forms. */
import { expect, test } from 'vitest'
import type { SideName } from '../../../../media/relay/side.ts'
import { createKeys } from './keys.ts'

function keysWith(...withTelephoneEvents: SideName[]) {
  const done: string[] = []
  const keys = createKeys({
    sound: {
      hasTelephoneEvents: (side) => withTelephoneEvents.includes(side),
      pressKeys: (side, pressed) => void done.push(`${pressed} to ${side}`),
    },
    legOf: (side) => ({
      async info(body) {
        done.push(`info ${body.toString().split('\r\n')[0]} to ${side}`)
        return 200
      },
    }),
    now: () => new Date(0),
    isTalking: () => true,
  })
  return { ...keys, done }
}

test('an event is pressed as a tone at a side without events, and relayed at one with them', () => {
  const converted = keysWith('extension')
  converted.receive('extension', '5', 'event')
  expect(converted.done).toEqual(['5 to other'])
  const relayed = keysWith('extension', 'other')
  relayed.receive('extension', '5', 'event')
  expect(relayed.done).toEqual([])
})

test('tones become events at a side with events, and stay sound at one without', () => {
  const converted = keysWith('extension')
  converted.receive('other', '5', 'sound')
  expect(converted.done).toEqual(['5 to extension'])
  const relayed = keysWith()
  relayed.receive('other', '5', 'sound')
  expect(relayed.done).toEqual([])
})

test('INFO becomes an event or a tone; a side without events that sends INFO gets INFO', () => {
  const { receive, done } = keysWith('extension')
  receive('other', '1', 'info')
  receive('extension', '2', 'event')
  expect(done).toEqual(['1 to extension', 'info Signal=2 to other'])
})

test('a side that sends each key in several ways presses it once', () => {
  const { receive, done, presses } = keysWith('other')
  for (const key of '12') for (const kind of ['info', 'event'] as const) receive('extension', key, kind)
  expect(done).toEqual(['1 to other', '2 to other'])
  expect(presses().map(({ key }) => key)).toEqual(['1', '2'])
})

test('the first 200 keys are remembered, with who pressed them and who received them', () => {
  const { press, receive, presses } = keysWith('other')
  receive('extension', '9', 'event')
  press('other', '1'.repeat(300))
  expect(presses()).toHaveLength(200)
  expect(presses().slice(0, 2)).toEqual([
    { at: new Date(0), from: 'extension', to: 'other', key: '9' },
    { at: new Date(0), from: 'service', to: 'other', key: '1' },
  ])
})
