/** What can happen to the phone of the console in any order. What is impossible at the moment does nothing. */
import type { SessionId } from '../../../console/phone/moves/phone.ts'
import type { ModelBrowser, ModelSession } from './model-browser.ts'

type Accident = (browser: ModelBrowser, pick: number) => void

/** One of the sessions that are as they must be, if there is one. */
function pickSession(
  { sessions }: ModelBrowser,
  pick: number,
  isFit: (session: ModelSession) => boolean,
): SessionId | undefined {
  const fit = [...sessions].filter(([, session]) => isFit(session))
  return fit[pick % fit.length]?.[0]
}

const withSession =
  (isFit: (session: ModelSession) => boolean, act: (browser: ModelBrowser, session: SessionId) => void) =>
  (browser: ModelBrowser, pick: number) => {
    const session = pickSession(browser, pick, isFit)
    if (session !== undefined) act(browser, session)
  }

const isAny = () => true
const isConfirmed = ({ state }: ModelSession) => state === 'confirmed'
const isDialling = ({ kind, state }: ModelSession) => kind === 'out' && state === 'invited'
const isAnswering = ({ state, isAnswering }: ModelSession) => state === 'invited' && isAnswering
const isOdd = (pick: number) => pick % 2 === 1

const say =
  (
    type:
      | 'answer'
      | 'hangUp'
      | 'mute'
      | 'unmute'
      | 'hold'
      | 'resume'
      | 'connect'
      | 'lostRead'
      | 'holdAndAnswer'
      | 'refuseWaiting'
      | 'ignoreWaiting'
      | 'swap',
  ): Accident =>
  ({ dispatch }) =>
    dispatch({ type })
const report = (type: 'held' | 'unheld' | 'muted' | 'unmuted') =>
  withSession(isConfirmed, ({ dispatch }, session) => dispatch({ type, session }))

export const accidents = {
  answer: say('answer'),
  dial: ({ dispatch }, pick) => dispatch({ type: 'dial', number: pick % 5 === 0 ? 'no digits' : '48 9999' }),
  hangUp: say('hangUp'),
  mute: say('mute'),
  unmute: say('unmute'),
  hold: say('hold'),
  resume: say('resume'),
  press: ({ dispatch }) => dispatch({ type: 'press', key: '5' }),
  consult: ({ dispatch }, pick) =>
    dispatch({ type: 'consult', number: pick % 5 === 0 ? 'no digits' : '1002' }),
  connect: say('connect'),
  readLost: say('lostRead'),
  holdAndAnswer: say('holdAndAnswer'),
  refuseWaiting: say('refuseWaiting'),
  ignoreWaiting: say('ignoreWaiting'),
  swap: say('swap'),
  disturb: ({ dispatch }, pick) => dispatch({ type: 'disturb', isAllowed: pick % 4 !== 0 }),

  ring: ({ ring }, pick) => void ring(isOdd(pick), pick % 3 === 0),
  send: withSession(isDialling, ({ dispatch }, session) => dispatch({ type: 'sending', session })),
  accept: withSession(
    (session) => isDialling(session) || isAnswering(session),
    ({ accept }, session) => accept(session),
  ),
  confirm: withSession(
    ({ state }) => state === 'accepted',
    ({ confirm }, session) => confirm(session),
  ),
  refuseMicrophone: withSession(isAnswering, ({ sessions, dispatch }, session) => {
    const found = sessions.get(session)
    if (found) found.isAnswering = false
    dispatch({ type: 'answerFailed', session, problem: 'refused' })
  }),
  refuseMicrophoneToDial: withSession(isDialling, ({ end, dispatch }, session) => {
    end(session, 'other')
    dispatch({ type: 'microphone', problem: 'missing' })
  }),
  held: report('held'),
  unheld: report('unheld'),
  muted: report('muted'),
  unmuted: report('unmuted'),
  measured: withSession(isConfirmed, ({ dispatch }, session) =>
    dispatch({ type: 'measured', session, quality: 'fair' }),
  ),
  soundFlows: withSession(isConfirmed, ({ dispatch }, session) => dispatch({ type: 'soundFlows', session })),
  soundLost: withSession(isConfirmed, ({ dispatch }, session) => dispatch({ type: 'soundLost', session })),
  serviceHangsUp: withSession(isAny, ({ end }, session) => end(session, 'service')),
  sessionFails: withSession(isAny, ({ end }, session) => end(session, 'other')),
  sessionBreaks: withSession(isAny, ({ end }, session) => end(session, 'connection')),
  /** What JsSIP or the browser reports late: of a session that has ended. */
  lateReport({ dispatch, sessions, effects }, pick) {
    const started = effects.flatMap((effect) => (effect.type === 'terminate' ? [effect.session] : []))
    const session = started[pick % started.length]
    if (session === undefined || sessions.has(session)) return
    const dialog = { call_id: String(session), local_tag: 'late', remote_tag: 'late' }
    dispatch({ type: 'accepted', session, id: 'late' })
    dispatch({ type: 'confirmed', session, dialog, at: 0 })
    dispatch({ type: 'answerFailed', session, problem: 'unusable' })
    dispatch({ type: 'unheld', session })
    dispatch({ type: 'soundFlows', session })
    dispatch({ type: 'soundLost', session })
    dispatch({ type: 'over', session, cause: 'late', by: 'connection', reason: undefined })
  },

  register: ({ dispatch }) => dispatch({ type: 'registered' }),
  connecting: ({ dispatch }) => dispatch({ type: 'connecting' }),
  displace: ({ dispatch }) => dispatch({ type: 'registrationFailed', displacedBy: 'Desk phone' }),
  failToRegister: ({ dispatch }) => dispatch({ type: 'registrationFailed', displacedBy: undefined }),
  /** JsSIP ends the sessions whose INVITE is under way first, except where the microphone is awaited. */
  disconnect(browser, pick) {
    const session = pickSession(browser, pick, isDialling)
    if (session !== undefined && isOdd(pick)) browser.end(session, 'other')
    browser.dispatch({ type: 'disconnected' })
  },
  timer({ timers, fire }, pick) {
    const timer = [...timers][pick % timers.size]
    if (timer) fire(timer)
  },
  leave: ({ dispatch }) => dispatch({ type: 'left' }),
  reload: ({ reload }) => reload(),
  stop: ({ dispatch }) => dispatch({ type: 'stopped' }),
  start: ({ dispatch }) => dispatch({ type: 'started', kept: undefined }),
} satisfies Record<string, Accident>
