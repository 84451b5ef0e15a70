/** D590: what holds for the phone of the console whatever happens to it, in whatever order. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { offPhone, type SessionId } from '../../../console/phone/moves/phone.ts'
import { mayWait } from '../../../console/phone/moves/waiting-moves.ts'
import { accidents } from './accidents.ts'
import { createModelBrowser, type ModelBrowser } from './model-browser.ts'

type Name = keyof typeof accidents
type Happening = { name: Name; pick: number }

const names = Object.keys(accidents) as Name[]
/** Without them most calls would end before they are answered. */
const often: Name[] = ['ring', 'dial', 'answer', 'accept', 'confirm', 'consult', 'register', 'holdAndAnswer']
const talking: Name[] = ['dial', 'accept', 'confirm']
const beginnings: Name[][] = [
  [],
  ['ring'],
  talking,
  [...talking, 'ring'],
  [...talking, 'ring', 'holdAndAnswer', 'accept', 'confirm'],
  [...talking, 'ring', 'holdAndAnswer', 'refuseMicrophone'],
  [...talking, 'consult'],
  [...talking, 'consult', 'accept', 'confirm'],
  [...talking, 'disconnect'],
  [...talking, 'disconnect', 'register'],
  [...talking, 'soundLost', 'accept', 'confirm'],
]
const accident = fc.record({
  name: fc.constantFrom(...names, ...often, ...often, ...often),
  pick: fc.nat(9),
})
const story = fc
  .tuple(fc.constantFrom(...beginnings), fc.array(accident, { maxLength: 40, size: 'max' }))
  .map(([beginning, rest]): Happening[] => [...beginning.map((name) => ({ name, pick: 2 })), ...rest])

const followed = ({ phone }: ModelBrowser): SessionId[] => {
  const { front, parked, waiting, recovery } = phone()
  const sessions = [front?.session, parked?.session, waiting?.session, ...(recovery?.broken ?? [])]
  return sessions.filter((one) => one !== undefined)
}

/** Every session that was started is followed until it has ended, and no ended one is. */
function checkSessions(browser: ModelBrowser) {
  expect(followed(browser).toSorted()).toEqual([...browser.sessions.keys()].toSorted())
}

/** At most one call in front and one on hold or waiting; a call that ended is not shown as talking. */
function checkCalls({ phone, sessions, isEndedByPhone }: ModelBrowser) {
  const { front, parked, waiting, recovery } = phone()
  const state = front?.call.state
  if (!front) expect([parked, waiting, recovery]).toEqual([undefined, undefined, undefined])
  if (waiting) expect([state, parked, waiting.call.state]).toEqual(['talking', undefined, 'ringing'])
  expect(recovery !== undefined).toBe(state === 'returning')
  if (state === 'talking') expect(sessions.get(front?.session ?? 0)?.state).toBe('confirmed')
  if (parked) expect([parked.call.state, recovery]).toEqual(['talking', undefined])
  // The service takes the end of a call's leg for the end of the call.
  if (recovery) expect(isEndedByPhone(Number(recovery.dialog.call_id))).toBe(false)
}

/** The bell rings exactly while a call rings; the call in front is heard, and measured while it is talked in. */
function checkSound({ phone, sound }: ModelBrowser) {
  const { front, waiting } = phone()
  expect(sound()).toEqual({
    knock: waiting && !waiting.isIgnored ? waiting.call.number : undefined,
    bell: front?.call.state === 'ringing' ? front.call.number : undefined,
    heard: front?.session,
    measured: front?.call.state === 'talking' ? front.session : undefined,
  })
}

function checkTimers({ phone, timers }: ModelBrowser) {
  const { recovery, lastCause } = phone()
  expect(timers.has('return')).toBe(recovery !== undefined)
  expect(timers.has('retry')).toBe(recovery?.stage === 'pausing')
  expect(timers.has('cause')).toBe(lastCause !== undefined)
}

function happen(browser: ModelBrowser, { name, pick }: Happening) {
  const before = browser.phone()
  const from = browser.effects.length
  accidents[name](browser, pick)
  const mayRing = (!before.front || mayWait(before)) && before.registration !== 'off'
  const isUndisturbed = before.isUndisturbed && pick % 3 !== 0
  if (name === 'ring' && (isUndisturbed || !mayRing)) {
    expect(browser.phone()).toBe(before)
    expect(browser.effects.slice(from)).toMatchObject([{ type: 'terminate', status: 486 }])
  }
  if (name === 'lateReport') expect(browser.phone()).toBe(before)
  checkSessions(browser)
  checkCalls(browser)
  checkSound(browser)
  checkTimers(browser)
}

function play(happenings: Happening[]) {
  const browser = createModelBrowser()
  browser.dispatch({ type: 'started', kept: undefined })
  browser.dispatch({ type: 'registered' })
  for (const { name, pick } of happenings) accidents[name](browser, pick)
  return browser
}

test('no order of events leaks a session, shows a call that is over, or leaves the bell ringing', () => {
  const seen = new Set<string>()
  fc.assert(
    fc.property(story, (happenings) => {
      const browser = play([])
      for (const one of happenings) {
        happen(browser, one)
        const { front, parked, waiting, recovery } = browser.phone()
        const beside = parked ? 'parked' : waiting ? 'with another' : recovery?.stage
        seen.add(`${front?.call.state} ${beside}`)
      }
    }),
    { numRuns: 500 },
  )
  // The stories reach every state that there is.
  expect([...seen].toSorted()).toEqual([
    'connecting parked',
    'connecting undefined',
    'returning answered',
    'returning inviting',
    'returning pausing',
    'returning waiting',
    'ringing parked',
    'ringing undefined',
    'talking parked',
    'talking undefined',
    'talking with another',
    'undefined undefined',
  ])
})

/** Stories that end while the call comes back; many do. */
function whileReturning(check: (browser: ModelBrowser) => void) {
  let count = 0
  fc.assert(
    fc.property(story, (happenings) => {
      const browser = play(happenings)
      if (browser.phone().front?.call.state !== 'returning') return
      count += 1
      check(browser)
    }),
    { numRuns: 1_500 },
  )
  expect(count).toBeGreaterThan(30)
}

test('a call that is returning is talked in once the service and the sound are back', () => {
  whileReturning((browser) => {
    const { recovery, front } = browser.phone()
    browser.dispatch({ type: 'registered' })
    const session = browser.phone().front?.session ?? 0
    if (recovery?.stage !== 'answered') {
      if (browser.sessions.get(session)?.state === 'invited') browser.accept(session)
      browser.confirm(session)
    }
    browser.dispatch({ type: 'soundFlows', session })
    const call = browser.phone().front?.call
    expect(call).toMatchObject({ number: front?.call.number, state: 'talking' })
    expect(followed(browser)).toEqual([session])
  })
})

test('a call that is returning is over when its time is up, and the service hangs it up', () => {
  whileReturning((browser) => {
    const { front } = browser.phone()
    browser.fire('return')
    expect(browser.phone()).toMatchObject({ front: undefined, lostNumber: front?.call.number })
    expect(browser.effects).toContainEqual({ type: 'hangUpAtService', id: front?.call.id })
    expect([...browser.sessions]).toEqual([])
  })
})

test('when everything has ended the phone is as it was at first, and silent', () => {
  fc.assert(
    fc.property(story, (happenings) => {
      const browser = play(happenings)
      for (const session of browser.sessions.keys()) browser.end(session, 'service')
      for (const timer of browser.timers) browser.fire(timer)
      browser.dispatch({ type: 'lostRead' })
      browser.dispatch({ type: 'microphone', problem: undefined })
      const { registration, displacedBy, isConnected, isUndisturbed } = browser.phone()
      expect(browser.phone()).toEqual({ ...offPhone, registration, displacedBy, isConnected, isUndisturbed })
      expect([...browser.sessions, ...browser.timers]).toEqual([])
      checkSound(browser)
      browser.dispatch({ type: 'stopped' })
      expect(browser.phone()).toEqual(offPhone)
    }),
    { numRuns: 500 },
  )
})
