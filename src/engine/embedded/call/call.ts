/**
 * A call: two legs and the sound between them. The near leg is there first: the extension we rang, or whoever
 * called us. The far leg is dialled once the near one is ready to hear of it.
 *
 *   near ─▶ far ─▶ talking ─▶ over
 *     └──────┴─────────────────▶ over
 *
 * However it ends, it ends once: both legs are hung up, everything borrowed is given back, then it is told.
 */
import type { Cause } from '../../../contract/causes.ts'
import type { Clock } from '../../../kit/clock.ts'
import type { Log } from '../../../kit/log.ts'
import type { Timer, Timers } from '../../../kit/timers.ts'
import type { SideName } from '../../media/relay/side.ts'
import type { Accepted, CallEvent, Recording, Side } from '../../port.ts'
import type { Leg, LegListener, UserAgent } from '../../sip/dialog/leg.ts'
import { contentType } from '../../sip/headers/numbers.ts'
import type { SipRequest } from '../../sip/message/message.ts'
import type { Sdp } from '../../sip/sdp/sdp.ts'
import { dialFar, type Far } from './far.ts'
import type { FindRoutes, OpenRoute, Route } from './routes.ts'
import { causeOfEnd } from './sip-causes.ts'
import { openSound, type Sound, type SoundMedia } from './sound.ts'

export type CallDeps = {
  userAgent: UserAgent
  media: SoundMedia
  /** The address told in our descriptions. */
  address: string
  timers: Timers
  clock: Clock
  log: Log
  findRoutes: FindRoutes
  recordingPath(callId: string): string
  tell(event: CallEvent): void
}

/** What the near leg is told of the far one, and how it is ended; the two kinds of near legs differ in that. */
export type Near = {
  leg: Leg
  ringing(): void
  earlySound(): void
  /** False if the near side cannot take it. */
  joined(): boolean
  end(cause: Cause): void
}

/** How often a side that says nothing is asked whether it is there. */
const probeMs = 60_000

type Stage = 'near' | 'far' | 'talking' | 'over'
type Party = Exclude<Side, 'service'>
type Wanted = Accepted & { near: Party }

export function createCall(deps: CallDeps, wanted: Wanted, onOver: () => void) {
  const { callId, limits } = wanted
  const { timers, clock, log } = deps
  const sides = sidesOf(wanted.near)
  let stage: Stage = 'near'
  let near: Near | undefined
  let far: Far | undefined
  let sound: Sound | undefined
  let timer: Timer | undefined
  let probe: Timer | undefined
  let progressed = false

  const isOver = () => stage === 'over'
  const tell = (event: CallEvent) => deps.tell(event)
  const now = () => ({ callId, at: clock.now() })

  /** Only one thing is waited for at a time. */
  function waitFor(seconds: number, run: () => void) {
    timer?.cancel()
    timer = timers.after(seconds * 1000, run)
  }

  /** Undefined when there is no room for more sound, or the call is over meanwhile. */
  async function openTheSound(): Promise<Sound | undefined> {
    const opening = openSound({
      media: deps.media,
      address: deps.address,
      callId,
      onSilence: hearSilence,
      onLost: (error) => {
        log.error({ err: error, callId }, 'the sound of a call was lost')
        finish('NORMAL_TEMPORARY_FAILURE', 'service')
      },
      onRecordingFailed: (reason) => log.error({ callId, reason }, 'a call is not recorded'),
    })
    try {
      const opened = await opening
      if (!isOver()) {
        sound = opened
        return sound
      }
      await opened.close()
    } catch (error) {
      log.warn({ err: error, callId }, 'no room for the sound of a call')
      finish('NORMAL_CIRCUIT_CONGESTION', 'service')
    }
    return undefined
  }

  /** The near leg listens: the far one is dialled. */
  function dial(ready: Near) {
    near = ready
    stage = 'far'
    waitFor(limits.answer, () => finish('NO_ANSWER', 'service'))
    try {
      const routes = deps.findRoutes(wanted)
      if (sound && !isOver()) far = dialBy(routes, sound)
    } catch (error) {
      log.error({ err: error, callId }, 'no route was found for a call')
      finish('NORMAL_TEMPORARY_FAILURE', 'service')
    }
  }

  function dialBy(routes: OpenRoute[], { offer, settle }: Sound): Far {
    const leg = {
      userAgent: deps.userAgent,
      timers,
      offer: (codecs: Route['codecs']) => offer(sides.far, codecs),
      settle: (description: Sdp, from: string) => settle(sides.far, description, from),
      listener: (from: string) => listener(sides.far, from, sides.farName),
    }
    return dialFar(leg, routes, {
      progress(what) {
        tellProgress()
        if (what === 'sound') near?.earlySound()
        else if (what === 'ringing') near?.ringing()
      },
      answered(isHeard) {
        if (isHeard) join()
        else finish('INCOMPATIBLE_DESTINATION', sides.farName)
      },
      failed: ({ cause, tried }) => finish(cause, tried ? sides.farName : 'service'),
    })
  }

  function tellProgress() {
    if (progressed) return
    progressed = true
    tell({ ...now(), type: sides.farName === 'extension' ? 'ringing' : 'progress' })
  }

  function join() {
    if (!near?.joined()) return finish('INCOMPATIBLE_DESTINATION', sides.nearName)
    stage = 'talking'
    sound?.stopTone(sides.near)
    waitFor(limits.talk, () => finish('ALLOTTED_TIMEOUT', 'service'))
    if (wanted.record) sound?.record(deps.recordingPath(callId))
    tell({ ...now(), type: 'answered' })
  }

  /**
   * D123: when nobody is heard, nobody is there. One side alone may be silent for long; whether it is there at all
   * is asked by offering it once more what it has, and a side that does not answer is gone.
   */
  function hearSilence(silent: ReadonlySet<SideName>) {
    probe?.cancel()
    if (stage !== 'talking' || silent.size === 0) return
    if (silent.size === 2) return finish('MEDIA_TIMEOUT', 'service')
    const [side = sides.near] = silent
    const leg = side === sides.near ? near?.leg : far?.leg()
    if (sound) void leg?.offer(sound.offer(side))
    probe = timers.after(probeMs, () => hearSilence(silent))
  }

  /** What either leg may do once it is answered. */
  function listener(side: SideName, from: string, name: Side): LegListener {
    return {
      ended(end) {
        finish(stage === 'talking' ? causeOfEnd(end) : 'ORIGINATOR_CANCEL', name)
      },
      offered: async (offer) => sound?.answer(side, offer, from) ?? { refuse: 488 },
      ask: async () => {
        if (!sound) throw new Error('the call is over')
        return sound.offer(side)
      },
      settled(answer) {
        if (!sound?.settle(side, answer, from)) finish('INCOMPATIBLE_DESTINATION', name)
      },
      info: async (request) => await passInfo(request, side),
    }
  }

  /** Keys pressed on phones that send them as INFO; before the two talk there is nobody to hear them. */
  async function passInfo(request: SipRequest, side: SideName): Promise<number> {
    const other = side === sides.near ? far?.leg() : near?.leg
    const type = contentType(request)
    if (stage !== 'talking' || !other || type === undefined) return 488
    return await other.info(request.body, type)
  }

  function finish(cause: Cause, by: Side) {
    if (isOver()) return
    stage = 'over'
    timer?.cancel()
    probe?.cancel()
    near?.end(cause)
    far?.end(cause)
    const ended = {
      ...now(),
      type: 'ended',
      cause,
      by,
    } as const
    void closeSound().then((recording) => {
      tell({ ...ended, ...(recording && { recording }) })
      onOver()
    })
  }

  async function closeSound(): Promise<Recording | undefined> {
    try {
      return await sound?.close()
    } catch (error) {
      log.error({ err: error, callId }, 'the sound of a call could not be closed')
      return undefined
    }
  }

  return {
    callId,
    sides,
    isOver,
    /** Known before it is ready: what ends the call ends it too. */
    setNear(leg: Near) {
      near = leg
    },
    openTheSound,
    dial,
    listener,
    finish,
    waitFor,
    tell: (type: 'ringing' | 'extensionAnswered') => !isOver() && tell({ ...now(), type }),
    /** Before the destination's answer it is the caller who gives up (D2). */
    hangUp(cause: Cause = stage === 'talking' ? 'NORMAL_CLEARING' : 'ORIGINATOR_CANCEL') {
      finish(cause, 'service')
    },
  }
}
export type Call = ReturnType<typeof createCall>

/** The extension's sound is on the left, whoever called. */
function sidesOf(near: Party) {
  return near === 'extension'
    ? ({ near: 'extension', far: 'other', nearName: 'extension', farName: 'destination' } as const)
    : ({ near: 'other', far: 'extension', nearName: 'destination', farName: 'extension' } as const)
}
