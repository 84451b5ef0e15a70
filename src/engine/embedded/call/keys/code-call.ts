/**
 * A call in which the callee types a code (D188). It has one leg; tones ask for the code and say whether it was right.
 *
 *   dialling ─▶ typing ─▶ over
 *      └──────────────────▲
 */
import type { Cause } from '../../../../contract/calls/causes.ts'
import type { Timer } from '../../../../kit/timers.ts'
import type { Tone } from '../../../../media/sound/tone.ts'
import type { LegListener } from '../../../../sip/dialog/leg.ts'
import { createCodeEntry } from '../../../code-entry.ts'
import type { CodeCallRequest, CodeCallResult } from '../../../port.ts'
import { type BLeg, dialBLeg } from '../b-leg.ts'
import type { CallDeps } from '../call-deps.ts'
import { closeSafely, openSound, type Sound } from '../media/sound.ts'
import { causeOfEnd } from '../sip-causes.ts'
import { readInfoKey } from './info-keys.ts'
import type { KeyKind } from './keys.ts'

type Deps = Omit<CallDeps, 'emit' | 'spool' | 'onRefer'>

/** Two short beeps every three seconds: the code is expected. */
const prompt: Tone = { hertz: [950], cadence: [200, 200, 200, 2400] }
const accepted: Tone = { hertz: [1400], cadence: [] }
const refused: Tone = { hertz: [425], cadence: [200, 200] }
/** How long the last two sound; the call ends after it. */
const verdictMs = 800

const side = 'other'

export function startCodeCall(deps: Deps, request: CodeCallRequest) {
  const { callId, number, code, maxTries, limits } = request
  const { timers, clock, log } = deps
  const entry = createCodeEntry(code, maxTries)
  const { promise: result, resolve } = Promise.withResolvers<CodeCallResult>()
  let sound: Sound | undefined
  let leg: BLeg | undefined
  let timer: Timer | undefined
  let answeredAt: Date | undefined
  let keysBy: KeyKind | undefined
  let isTyped = false
  let isDecided = false
  let isOver = false

  function setTimer(ms: number, cause: Cause) {
    timer?.cancel()
    timer = timers.after(ms, () => finish(cause))
  }

  async function start() {
    const opened = await openSound({
      media: deps.media,
      address: deps.address,
      codecs: deps.codecs.phones,
      allowsOpenKeys: deps.allowsOpenKeys,
      callId,
      onSilence() {},
      onLost(error) {
        log.error({ err: error, callId }, 'the sound of a call was lost')
        finish('NORMAL_TEMPORARY_FAILURE')
      },
      onRefused(_side, reason) {
        log.warn({ callId, reason }, 'the sound of a call cannot be protected')
        finish('INCOMPATIBLE_DESTINATION')
      },
      onRecordingFailed() {},
      onKey: (from, key, by) => from === side && press(key, by),
      detectsKeys: true,
    })
    if (isOver) return void (await opened.close())
    sound = opened
    setTimer(limits.answer * 1000, 'NO_ANSWER')
    leg = dialBLeg({
      userAgent: deps.userAgent,
      timers,
      routes: deps.findRoutes({ callId, destination: { number }, presented: undefined }),
      offer: (route) => opened.offer(side, route),
      settle: (description, from) => opened.settle(side, description, from),
      listener: () => listener(opened),
      onProgress() {},
      onAnswered: (compatible) => (compatible ? onAnswered() : finish('INCOMPATIBLE_DESTINATION')),
      onFailed: ({ cause }) => finish(cause),
    })
  }

  function onAnswered() {
    answeredAt = clock.now()
    setTimer(limits.typing * 1000, 'NORMAL_CLEARING')
    sound?.playTone(side, { tone: prompt })
  }

  function listener({ offer, answer, settle }: Sound): LegListener {
    return {
      onEnded: (end) => finish(causeOfEnd(end)),
      onOffer: async (offered, from) => answer(side, offered, from) ?? { refuse: 488 },
      onOfferRequest: async () => offer(side),
      onAnswer(answered, from) {
        if (!settle(side, answered, from)) finish('INCOMPATIBLE_DESTINATION')
      },
      onInfo(request) {
        const key = readInfoKey(request)
        if (key !== undefined) press(key, 'info')
        return key === undefined ? 415 : 200
      },
      onForeign: (incoming, accept) => deps.authorise(undefined, incoming, accept),
    }
  }

  /** A callee that sends each key in several ways is taken by the one that came first. */
  function press(key: string, by: KeyKind) {
    if (!answeredAt || isDecided || isOver) return
    keysBy ??= by
    if (keysBy !== by) return
    const tried = entry.press(key)
    if (tried === 'incomplete') return sound?.stopTone(side)
    isTyped = tried === 'right'
    isDecided = tried !== 'wrong'
    sound?.playTone(side, { tone: isTyped ? accepted : refused, durationMs: verdictMs })
    if (isDecided) setTimer(verdictMs, 'NORMAL_CLEARING')
  }

  function outcome(): CodeCallResult['outcome'] {
    if (!answeredAt) return 'not answered'
    if (isTyped) return 'typed'
    return entry.wrongTries() > 0 ? 'wrong' : 'not typed'
  }

  function finish(cause: Cause) {
    if (isOver) return
    isOver = true
    timer?.cancel()
    leg?.end(cause)
    const ended = { outcome: outcome(), cause, answeredAt, endedAt: clock.now() }
    void closeSafely(sound, log, callId).then(() => resolve(ended))
  }

  start().catch((error: unknown) => {
    log.warn({ err: error, callId }, 'a call for a code could not be placed')
    finish('NORMAL_CIRCUIT_CONGESTION')
  })
  return { result, end: finish }
}
export type CodeCall = ReturnType<typeof startCodeCall>
