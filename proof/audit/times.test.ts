/** Times: histories in which a clock was wrong, or a node talked on. */
import { expect, test } from 'vitest'
import { entriesOf } from './history.ts'
import { type Change, first, violationsAfter } from './testing/break-history.ts'
import type { Check } from './violation.ts'

const talkOf = (...[history]: Parameters<Change>) => first(entriesOf(history, 'talk'))

test.each<[string, Check, string, Change]>([
  [
    'a call that began before it was placed',
    'times',
    'call c1 was placed from 900 to 1100, and began at -2200',
    (_, { calls }) => Object.assign(first(calls), { startedAt: -2_200 }),
  ],
  [
    'a call that begins after its placing was answered',
    'times',
    'call c1 was placed from 900 to 1100, and began at 4200',
    (_, { calls }) => Object.assign(first(calls), { startedAt: 4_200 }),
  ],
  [
    'sound of a call that the feed has shown as over',
    'one end',
    'call c1 was shown as over at 66000, and had sound until 67001',
    (history, final) => Object.assign(talkOf(history, final), { silentAt: 67_001 }),
  ],
  [
    'sound of a call whose hangup a receiver has got',
    'one end',
    'call c1 was shown as over at 64000, and had sound until 65001',
    (history, final) => {
      Object.assign(talkOf(history, final), { silentAt: 65_001 })
      const hangup = entriesOf(history, 'webhook').find(
        ({ subject, type }) => subject === 'c1' && type === 'channel-hangup',
      )
      Object.assign(hangup ?? {}, { at: 64_000 })
    },
  ],
  [
    'sound of a call that a list has shown as over',
    'one end',
    'call c1 was shown as over at 8000, and had sound until 65000',
    (history) => {
      const live = entriesOf(history, 'live').find(({ at }) => at === 8_000)
      Object.assign(first(live?.calls ?? []), { status: 'completed' })
    },
  ],
])('%s is found', (_, check, text, change) => {
  expect(violationsAfter(change)).toContainEqual({ check, text })
})

test('a call of a process that is paused is silent from then on, and no violation', () => {
  const found = violationsAfter((history, final) => {
    Object.assign(talkOf(history, final), { endedAt: 80_000, silentAt: 65_500 })
    const undisturbed = history.entries.findIndex(({ kind }) => kind === 'undisturbed')
    history.entries.splice(undisturbed, 1)
  })
  expect(found).toEqual([])
})

test('a call that a process answers after a pause, and hangs up in the same moment, has no sound', () => {
  const found = violationsAfter((history, final) => {
    Object.assign(talkOf(history, final), { answeredAt: 90_000, endedAt: 90_000, silentAt: 90_000 })
  })
  expect(found.filter(({ check }) => check === 'one end')).toEqual([])
})

test('a talk that ended as it began may have no recording', () => {
  const found = violationsAfter((history, final) => {
    Object.assign(talkOf(history, final), { answeredAt: 90_000, endedAt: 90_000, silentAt: 90_000 })
    Object.assign(first(final.calls), { hasRecording: false })
    Object.assign(final, { recordings: {} })
  })
  expect(found.filter(({ check }) => check === 'recordings')).toEqual([])
})
