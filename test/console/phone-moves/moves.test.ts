/** What the phone of the console does in the situations of its decisions. */
import { expect, test } from 'vitest'
import { readEndReason } from '../../../console/phone/moves/end-reason.ts'
import type { SessionId } from '../../../console/phone/moves/phone.ts'
import { createModelBrowser, type ModelBrowser } from './model-browser.ts'

function openPhone() {
  const browser = createModelBrowser()
  browser.dispatch({ type: 'started', kept: undefined })
  browser.dispatch({ type: 'registered' })
  return browser
}

/** The session in front is answered. */
function talk(browser: ModelBrowser): SessionId {
  const session = frontOf(browser)
  browser.accept(session)
  browser.confirm(session)
  return session
}

function dial(browser: ModelBrowser): SessionId {
  browser.dispatch({ type: 'dial', number: '(48) 99999-8888' })
  return talk(browser)
}

function consult(browser: ModelBrowser): SessionId {
  browser.dispatch({ type: 'consult', number: '1002' })
  return talk(browser)
}

const frontOf = ({ phone }: ModelBrowser) => phone().front?.session ?? Number.NaN
const callOf = ({ phone }: ModelBrowser) => phone().front?.call
/** What the phone did since the last look. */
const deeds = ({ effects }: ModelBrowser) => effects.splice(0).map(({ type }) => type)

test('a number is dialled by its digits; one without digits is neither dialled nor consulted', () => {
  const browser = openPhone()
  browser.dispatch({ type: 'dial', number: 'nobody' })
  expect(browser.phone().front).toBeUndefined()
  const session = dial(browser)
  expect(browser.effects).toContainEqual({ type: 'dial', session, number: '48999998888' })
  const before = browser.phone()
  browser.dispatch({ type: 'consult', number: 'nobody' })
  expect(browser.phone()).toBe(before)
})

test('a call that the phone answers by itself does not ring', () => {
  const browser = openPhone()
  browser.ring(true)
  expect(deeds(browser)).toEqual(['answer', 'listen'])
  expect(callOf(browser)).toMatchObject({ direction: 'in', state: 'connecting' })
})

test('D400: a call rings on when its microphone is refused, and is answered once there is one', () => {
  const browser = openPhone()
  const session = browser.ring(false)
  browser.dispatch({ type: 'answer' })
  expect(browser.sound().bell).toBeUndefined()
  browser.dispatch({ type: 'answerFailed', session, problem: 'refused' })
  expect(browser.sound().bell).toBe('1001')
  expect(browser.phone()).toMatchObject({ microphone: 'refused', front: { call: { state: 'ringing' } } })
})

test('a ringing call is declined as busy, any other is hung up', () => {
  const browser = openPhone()
  const session = browser.ring(false)
  browser.dispatch({ type: 'hangUp' })
  expect(browser.effects).toContainEqual({ type: 'terminate', session, status: 486 })
  const dialled = dial(browser)
  browser.dispatch({ type: 'hangUp' })
  expect(browser.effects).toContainEqual({ type: 'terminate', session: dialled, status: undefined })
  expect(browser.phone()).toMatchObject({ front: undefined, lastCause: 'by other' })
})

test('D601: a second call knocks; it is answered while the first waits on hold, and the two change places', () => {
  const browser = openPhone()
  const first = dial(browser)
  const second = browser.ring(false)
  expect(browser.sound()).toMatchObject({ bell: undefined, knock: '1001', heard: first })
  deeds(browser)
  browser.dispatch({ type: 'holdAndAnswer' })
  expect(browser.effects).toContainEqual({ type: 'hold', session: first })
  expect(deeds(browser)).toEqual(['hold', 'answer', 'stopKnocking', 'listen', 'measure'])
  talk(browser)
  expect([frontOf(browser), browser.phone().parked?.session]).toEqual([second, first])
  deeds(browser)
  browser.dispatch({ type: 'swap' })
  expect(browser.effects).toContainEqual({ type: 'hold', session: second })
  expect(browser.effects).toContainEqual({ type: 'unhold', session: first })
  expect([frontOf(browser), browser.phone().parked?.session]).toEqual([first, second])
  browser.end(first, 'service')
  expect([frontOf(browser), browser.phone().parked]).toEqual([second, undefined])
})

test('D601: a second call is refused as busy or ignored; a third one is busy meanwhile', () => {
  const browser = openPhone()
  dial(browser)
  const refused = browser.ring(false)
  browser.dispatch({ type: 'refuseWaiting' })
  expect(browser.effects).toContainEqual({ type: 'terminate', session: refused, status: 486 })
  expect(browser.phone().waiting).toBeUndefined()
  browser.ring(true)
  expect(deeds(browser)).not.toContain('answer')
  browser.dispatch({ type: 'ignoreWaiting' })
  expect([browser.sound().knock, browser.phone().waiting?.isIgnored]).toEqual([undefined, true])
  const third = browser.ring(false)
  expect(browser.effects).toContainEqual({ type: 'terminate', session: third, status: 486 })
})

test('D601: a second call rings as any other once the first is over', () => {
  const browser = openPhone()
  const first = dial(browser)
  const second = browser.ring(false)
  deeds(browser)
  browser.end(first, 'service')
  // The knocking ends before the bell begins: they are one sound.
  expect(deeds(browser).slice(0, 2)).toEqual(['stopKnocking', 'ring'])
  expect([frontOf(browser), callOf(browser)?.state]).toEqual([second, 'ringing'])
})

test('D601: a second call is busy when the connection of the first is lost', () => {
  const browser = openPhone()
  dial(browser)
  const second = browser.ring(false)
  browser.dispatch({ type: 'disconnected' })
  expect(browser.effects).toContainEqual({ type: 'terminate', session: second, status: 486 })
  expect(browser.phone()).toMatchObject({ waiting: undefined, front: { call: { state: 'returning' } } })
})

test('D602: who does not want to be disturbed is busy, but for calls that they placed themselves', () => {
  const browser = createModelBrowser()
  browser.dispatch({ type: 'started', kept: undefined })
  browser.dispatch({ type: 'registered' })
  browser.dispatch({ type: 'disturb', isAllowed: false })
  const refused = browser.ring(false)
  expect(browser.effects).toContainEqual({ type: 'terminate', session: refused, status: 486 })
  const placed = browser.ring(false, true)
  expect([frontOf(browser), browser.sound().bell]).toEqual([placed, '1001'])
  browser.end(placed, 'service')
  browser.dispatch({ type: 'disturb', isAllowed: true })
  const session = browser.ring(false)
  expect(frontOf(browser)).toBe(session)
})

test('the call on hold is taken up again, heard and measured, when the third party leaves', () => {
  const browser = openPhone()
  const first = dial(browser)
  const second = consult(browser)
  expect(browser.phone().parked?.session).toBe(first)
  deeds(browser)
  browser.end(second, 'service')
  expect(deeds(browser)).toEqual(['unhold', 'listen', 'measure'])
  expect(browser.sound()).toEqual({ bell: undefined, heard: first, measured: first })
  expect(callOf(browser)).toMatchObject({ number: '48999998888', state: 'talking', isHeld: true })
})

test('two calls are connected once the second is answered', () => {
  const browser = openPhone()
  const parked = dial(browser)
  browser.dispatch({ type: 'consult', number: '1002' })
  browser.dispatch({ type: 'connect' })
  expect(deeds(browser)).not.toContain('connect')
  const talking = talk(browser)
  browser.dispatch({ type: 'connect' })
  expect(browser.effects).toContainEqual({ type: 'connect', parked, talking })
})

test.each([
  ['the connection', (browser: ModelBrowser) => browser.dispatch({ type: 'disconnected' })],
  [
    'the sound of the one on hold',
    (browser: ModelBrowser, held: SessionId) => browser.dispatch({ type: 'soundLost', session: held }),
  ],
  [
    'the INVITE that puts it on hold',
    (browser: ModelBrowser, held: SessionId) => browser.end(held, 'connection'),
  ],
])(
  'D412: of a call on hold and the consultation call the one on hold comes back: %s broke',
  (_what, breakIt) => {
    const browser = openPhone()
    const held = dial(browser)
    const second = consult(browser)
    breakIt(browser, held)
    expect(browser.isEndedByPhone(second)).toBe(true)
    expect(browser.phone()).toMatchObject({
      parked: undefined,
      recovery: { dialog: { call_id: String(held) } },
    })
    expect(callOf(browser)).toMatchObject({ number: '48999998888', state: 'returning' })
  },
)

test('D412: a call comes back muted and on hold if it was, and its old leg ends after the new one is confirmed', () => {
  const browser = openPhone()
  const old = dial(browser)
  browser.dispatch({ type: 'muted', session: old })
  browser.dispatch({ type: 'held', session: old })
  browser.dispatch({ type: 'disconnected' })
  browser.dispatch({ type: 'registered' })
  const leg = frontOf(browser)
  browser.dispatch({ type: 'sending', session: leg })
  expect(browser.effects).toContainEqual({ type: 'mute', session: leg })
  expect(browser.isEndedByPhone(old)).toBe(false)
  talk(browser)
  expect(browser.effects).toContainEqual({ type: 'hold', session: leg })
  expect(browser.isEndedByPhone(old)).toBe(true)
  browser.dispatch({ type: 'soundFlows', session: leg })
  expect(callOf(browser)).toMatchObject({ state: 'talking', isMuted: true, isHeld: true })
})

test('D412: the return ends when the service refuses it, and is tried again after any other failure', () => {
  const browser = openPhone()
  const first = dial(browser)
  browser.dispatch({ type: 'disconnected' })
  browser.dispatch({ type: 'registered' })
  browser.end(frontOf(browser), 'other')
  expect(browser.phone().recovery?.stage).toBe('pausing')
  browser.fire('retry')
  expect(browser.phone().recovery?.stage).toBe('inviting')
  browser.end(frontOf(browser), 'service')
  expect(browser.phone()).toMatchObject({ front: undefined, lostNumber: '48999998888', lastCause: undefined })
  expect(browser.effects).toContainEqual({ type: 'hangUpAtService', id: `call ${first}` })
})

test('D412: an INVITE that is under way is not given up when the phone only registers again', () => {
  const browser = openPhone()
  dial(browser)
  browser.dispatch({ type: 'disconnected' })
  browser.dispatch({ type: 'registered' })
  const leg = frontOf(browser)
  browser.dispatch({ type: 'registered' })
  expect(frontOf(browser)).toBe(leg)
})

test('D413: the call of a displaced phone goes on, and comes back when its connection breaks', () => {
  const browser = openPhone()
  dial(browser)
  browser.dispatch({ type: 'registrationFailed', displacedBy: 'Desk phone' })
  expect(callOf(browser)?.state).toBe('talking')
  browser.dispatch({ type: 'disconnected' })
  browser.dispatch({ type: 'registrationFailed', displacedBy: 'Desk phone' })
  expect(browser.phone()).toMatchObject({ registration: 'displaced', recovery: { stage: 'inviting' } })
})

test('a call that is not talked in does not survive the connection, nor a reload of the page', () => {
  const browser = openPhone()
  browser.ring(false)
  browser.reload()
  expect(browser.phone().front).toBeUndefined()
  browser.ring(false)
  browser.dispatch({ type: 'disconnected' })
  expect(browser.phone()).toMatchObject({ registration: 'connecting', front: undefined, recovery: undefined })
})

test('a page that is loaded again comes back to its call once it is registered', () => {
  const browser = openPhone()
  dial(browser)
  browser.reload()
  expect(browser.phone()).toMatchObject({
    front: { call: { state: 'returning' } },
    recovery: { stage: 'waiting' },
  })
  browser.dispatch({ type: 'registered' })
  browser.dispatch({ type: 'soundFlows', session: talk(browser) })
  expect(callOf(browser)).toMatchObject({ number: '48999998888', state: 'talking' })
})

test('a phone that was stopped stays off, whatever JsSIP still reports, and rings no more', () => {
  const browser = openPhone()
  dial(browser)
  browser.dispatch({ type: 'stopped' })
  const off = browser.phone()
  browser.dispatch({ type: 'connecting' })
  browser.dispatch({ type: 'disconnected' })
  browser.ring(false)
  expect(browser.phone()).toBe(off)
  expect([...browser.sessions]).toEqual([])
})

test('D611: why a dialled call failed is kept until it is read or the next call; an unanswered incoming call did not fail', () => {
  const browser = openPhone()
  browser.dispatch({ type: 'dial', number: '48 99999-0002' })
  browser.end(frontOf(browser), 'service', 'USER_BUSY')
  browser.fire('cause')
  const failed = { number: '48999990002', reason: 'USER_BUSY' }
  expect(browser.phone()).toMatchObject({ front: undefined, lastCause: undefined, failed })
  browser.dispatch({ type: 'lostRead' })
  expect(browser.phone().failed).toBeUndefined()
  browser.dispatch({ type: 'dial', number: 'nobody' })
  expect(browser.phone().failed).toEqual({ number: 'nobody', reason: 'INVALID_NUMBER_FORMAT' })
  dial(browser)
  expect(browser.phone().failed).toBeUndefined()
  browser.end(frontOf(browser), 'service', 'ALLOTTED_TIMEOUT')
  expect(browser.phone().failed?.reason).toBe('ALLOTTED_TIMEOUT')
  browser.end(browser.ring(false), 'service', 'NO_ANSWER')
  expect(browser.phone().failed).toBeUndefined()
})

test('D611: the call on hold comes back when the third party is busy, and the reason is shown', () => {
  const browser = openPhone()
  const first = dial(browser)
  browser.dispatch({ type: 'consult', number: '1002' })
  browser.end(frontOf(browser), 'service', 'USER_BUSY')
  expect(browser.phone()).toMatchObject({ front: { session: first }, failed: { number: '1002' } })
})

test.each([
  ['Q.850;cause=17;text="USER_BUSY"', 'Busy Here', false, 'USER_BUSY'],
  ['Q.850;cause=16;text="ALLOTTED_TIMEOUT"', undefined, false, 'ALLOTTED_TIMEOUT'],
  ['Q.850;cause=52;text="OUTGOING_CALL_BARRED"', 'Forbidden', false, 'OUTGOING_CALL_BARRED'],
  ['Q.850;cause=52;text="OUTGOING_CALL_BARRED"', 'Insufficient Credit', false, 'NO_CREDIT'],
  ['Q.850;cause=16;text="NORMAL_CLEARING"', undefined, false, undefined],
  ['Q.850;cause=16;text="ORIGINATOR_CANCEL"', 'Request Terminated', true, undefined],
] as const)('D611: %s with the phrase %s (ours: %s) is shown as %s', (header, phrase, isOurs, reason) => {
  expect(readEndReason({ cause: 'Terminated', isOurs, header, phrase })).toBe(reason)
})
