/**
 * A call: two legs and the sound between them. The A leg exists first: the extension we rang, or the caller. The B leg
 * is dialled once the A leg can be connected to it.
 *
 *   A leg ─▶ B leg ─▶ talking ─▶ over
 *     └────────┴──────────────────▶ over
 *
 * A call ends once, however many reasons there are: both legs are hung up, ports and channels are given back,
 * then `ended` is emitted. D270: an agent whose destination could not be reached listens on for a few seconds to why.
 */
import type { Cause } from '../../../contract/calls/causes.ts'
import type { Timer } from '../../../kit/timers.ts'
import type { SideName } from '../../../media/relay/side.ts'
import type { IncomingLeg, Leg, LegListener } from '../../../sip/dialog/leg.ts'
import type { Sdp } from '../../../sip/sdp/sdp.ts'
import type { Target } from '../../../sip/transport/flow.ts'
import type { AcceptedCall, CallQuality, ExtensionName, Recording, Side, SipParty } from '../../port.ts'
import { type BLeg, type BLegFailure, dialBLeg } from './b-leg.ts'
import { type ALeg, type CallDeps, type NewCall, unconnected } from './call-deps.ts'
import { createForwarding } from './forwarding.ts'
import { createKeys, type Keys } from './keys/keys.ts'
import { openSoundOf } from './media/call-sound.ts'
import { createSilenceProbe } from './media/silence-probe.ts'
import { closeSafely, type Sound } from './media/sound.ts'
import { createSoundPaths } from './media/sound-path.ts'
import type { OpenRoute, Route } from './routes.ts'
import { causeOfEarlyEnd, causeOfEnd } from './sip-causes.ts'
import { createConnectedIdentity } from './transfer/connected-identity.ts'
import { createReconnects } from './transfer/reconnects.ts'
import { createTransferor } from './transfer/transferor.ts'

/** What is left of the sound of a call. */
type Left = { recording?: Recording; quality?: CallQuality; isUnheard?: boolean; unrecorded?: boolean }

type Stage = 'a leg' | 'b leg' | 'talking' | 'over'

export function createCall(deps: CallDeps, request: NewCall, onOver: () => void) {
  const { callId, limits, aSide } = request
  const { timers, clock, log, forward, emit, mediaSeconds, awaySeconds = 0 } = deps
  const bSide = aSide === 'extension' ? 'other' : 'extension'
  let stage: Stage = 'a leg'
  let aLeg: ALeg | undefined
  let bLeg: BLeg | undefined
  let sound: Sound | undefined
  let keys: Keys | undefined
  let timer: Timer | undefined
  let progressed = false
  /** Where the call goes now. */
  let { destination } = request
  /** Ends the A leg that listens to why the call failed. */
  let endAnnouncement: (() => void) | undefined

  const isOver = () => stage === 'over'
  const isTalking = () => stage === 'talking'
  const transferor = createTransferor({ isTalking, sound: () => sound, replaceLeg, finish })
  const reconnects = createReconnects({
    timers,
    seconds: awaySeconds,
    isTalking,
    sound: () => sound,
    listener,
    replaceLeg,
    onBack: (side) => soundPaths.begin(side),
    finish,
  })
  const soundPaths = createSoundPaths({
    timers,
    mediaSeconds,
    sound: () => sound,
    isPhone: (side) => partyAt(side) !== undefined,
    finish,
  })
  const identity = createConnectedIdentity({
    request,
    dialled: () => ('number' in destination ? destination : destination.extension).number,
    partyAt,
    legOf,
  })
  const silence = createSilenceProbe({ timers, isTalking, sound: () => sound, legOf, finish })
  // D224: in the time of the call, which goes on whatever happens to the clock of the machine.
  const begunAt = clock.now().getTime() - timers.now()
  const now = () => ({ callId, at: new Date(begunAt + timers.now()) })
  const forwarding = createForwarding({ forward, emit, now: () => now().at, hangUp })

  /** Replaces the timer of the stage before. */
  function setTimer(seconds: number, run: () => void) {
    timer?.cancel()
    timer = timers.after(seconds * 1000, run)
  }

  /** Undefined when no ports are free, or the call ended while the ports were being opened. */
  async function openCallSound(): Promise<Sound | undefined> {
    const opened = await openSoundOf({
      deps,
      callId,
      isOver,
      onSilence: silence.onSilence,
      onConnected: soundPaths.onConnected,
      onKey: (side, key, by) => keys?.receive(side, key, by),
      finish,
    })
    if (!opened) return undefined
    sound = opened
    keys = createKeys({ sound: opened, legOf, now: () => now().at, isTalking })
    return sound
  }

  /** Dials the B leg; `ready` is the A leg, from now on notified of its progress. */
  function dial(ready: ALeg) {
    aLeg = ready
    stage = 'b leg'
    dialTo(request)
  }

  function dialTo(target: AcceptedCall) {
    destination = target.destination
    setTimer(limits.answer, () => finishUnreached('NO_ANSWER', 'service'))
    try {
      const { isPrivate = false, referredBy } = request
      const routes = deps.findRoutes({ ...target, isPrivate, referredBy })
      if (sound && !isOver()) bLeg = dialBy(routes, sound)
    } catch (error) {
      log.error({ err: error, callId }, 'no route was found for a call')
      finish('NORMAL_TEMPORARY_FAILURE', 'service')
    }
  }

  function dialBy(routes: OpenRoute[], { offer, settle }: Sound): BLeg {
    return dialBLeg({
      userAgent: deps.userAgent,
      timers,
      routes,
      offer: (route: Route) => offer(bSide, route),
      settle: (description: Sdp, from: Target) => settle(bSide, description, from),
      listener: () => listener(bSide),
      onInvited: (dialog, route) =>
        deps.traces?.addDialog(callId, dialog, { side: bSide, party: partyOf(route) }),
      onProgress(progress) {
        emitProgress()
        forwarding.progressed()
        if (progress === 'early media') aLeg?.onEarlyMedia()
        else if (progress === 'ringing') aLeg?.onRinging()
      },
      onAnswered(compatible) {
        if (compatible) whenConnected(bSide, join)
        else finish('INCOMPATIBLE_DESTINATION', bSide)
      },
      onFailed: onUnreached,
    })
  }

  function onUnreached({ cause, byCallee, redirectedTo }: BLegFailure) {
    const extension = partyAt(bSide)
    if (redirectedTo === undefined || !extension || !forwarding.mayBegin()) {
      return finishUnreached(cause, byCallee ? bSide : 'service')
    }
    void forwarding.begin(extension, redirectedTo).then((target) => {
      if (isOver()) return
      if ('rejected' in target) finishUnreached(target.rejected, 'service')
      else dialTo(target)
    })
  }

  function emitProgress() {
    if (progressed) return
    progressed = true
    deps.emit({ ...now(), type: bSide === 'extension' ? 'ringing' : 'progress' })
  }

  function join() {
    if (!aLeg?.connect()) return finish('INCOMPATIBLE_DESTINATION', aSide)
    stage = 'talking'
    if (!aLeg.isAnswered) soundPaths.begin(aSide)
    sound?.stopTone(aSide)
    sound?.join()
    setTimer(limits.talk, () => finish('ALLOTTED_TIMEOUT', 'service'))
    if (request.record) sound?.record(deps.spool.pathOf(callId))
    deps.emit({ ...now(), type: 'answered' })
    forwarding.answered()
  }

  /** D420: the phone of the side has answered; the call goes on once its sound can flow. */
  function whenConnected(side: SideName, run: () => void) {
    timer?.cancel()
    soundPaths.begin(side, () => isOver() || run())
  }

  function legOf(side: SideName) {
    return side === aSide ? aLeg?.leg : bLeg?.leg()
  }

  function partyAt(side: SideName): ExtensionName | undefined {
    if (side === aSide) return request.caller
    return 'extension' in destination ? destination.extension : undefined
  }

  /** Reacts to the requests that either leg may send once it is answered. */
  function listener(side: SideName): LegListener {
    return {
      onEnded(end) {
        if (endAnnouncement && side === aSide) return endAnnouncement()
        if (transferor.leave(side) || reconnects.begin(side, end)) return
        if (side === bSide && !isTalking()) return finish(causeOfEarlyEnd(end), side)
        finish(isTalking() ? causeOfEnd(end) : 'ORIGINATOR_CANCEL', side)
      },
      onOffer: async (offer, from) => sound?.answer(side, offer, from) ?? { refuse: 488 },
      onOfferRequest: async () => {
        if (!sound) throw new Error('the call is over')
        return sound.offer(side)
      },
      onAnswer(answer, from) {
        if (!sound?.settle(side, answer, from)) finish('INCOMPATIBLE_DESTINATION', side)
      },
      onInfo: async (request) => (await keys?.receiveInfo(side, request)) ?? 488,
      onRefer: (refer) => (isTalking() ? deps.onRefer(callId, side, refer) : 603),
      onForeign: (incoming, accept) => deps.authorise(partyAt(side), incoming, accept),
    }
  }

  /** Another leg, or another call (D282), stands in the place of the leg, which is hung up. */
  function replaceLeg(side: SideName, { leg, end }: { leg?: Leg; end(cause: Cause): void }) {
    const before = side === aSide ? aLeg : bLeg
    reconnects.end(side)
    if (side === aSide) aLeg = { ...unconnected, leg, end }
    else bLeg = { leg: () => leg, end }
    before?.end('NORMAL_CLEARING')
  }

  function finish(cause: Cause, by: Side) {
    if (isOver()) return
    const talkedByPhone = isTalking() && partyAt('extension') !== undefined
    stage = 'over'
    timer?.cancel()
    silence.stop()
    soundPaths.close()
    reconnects.close()
    transferor.close(cause)
    aLeg?.end(cause)
    bLeg?.end(cause)
    const pressed = keys?.presses() ?? []
    const ended = { ...now(), type: 'ended', cause, by } as const
    forwarding.end(cause, by)
    void closeSound().then(({ isUnheard, ...left }) => {
      const unheard = talkedByPhone && isUnheard
      deps.emit({
        ...ended,
        ...left,
        ...(unheard && { unheard }),
        ...(pressed.length > 0 && { keys: pressed }),
      })
      deps.traces?.end(callId)
      onOver()
    })
  }

  /** D270: the call is over, and its A leg listens to why. Nothing is recorded of it. */
  function finishUnreached(cause: Cause, by: Side) {
    const explained = isOver() || !aLeg?.isAnswered ? undefined : deps.failureSound?.(cause)
    const { caller } = request
    if (!explained || !sound || !caller || !deps.announcementLegs) return finish(cause, by)
    stage = 'over'
    timer?.cancel()
    soundPaths.close()
    bLeg?.end(cause)
    sound.playTone(aSide, explained.request)
    endAnnouncement = deps.announcementLegs.add(caller, explained.ms, () => {
      aLeg?.end(cause)
      deps.traces?.end(callId)
      void closeSound()
    })
    forwarding.end(cause, by)
    deps.emit({ ...now(), type: 'ended', cause, by })
    onOver()
  }

  /** D2: before the destination answers, hanging up cancels the call. */
  function hangUp(cause: Cause = stage === 'talking' ? 'NORMAL_CLEARING' : 'ORIGINATOR_CANCEL') {
    finish(cause, 'service')
  }

  async function closeSound(): Promise<Left> {
    const left = await closeSafely(sound, log, callId)
    if (!left) return {}
    deps.onMeasured?.(left.quality)
    const { file, quality, isUnheard, isUnrecorded } = left
    return {
      quality,
      isUnheard,
      ...(file && { recording: deps.spool.toRecording(file) }),
      ...(isUnrecorded && { unrecorded: true }),
    }
  }

  return {
    callId,
    aSide,
    isOver,
    /** Before the B leg is dialled: an end of the call ends this leg too. */
    setALeg(leg: ALeg) {
      aLeg = leg
    },
    openSound: openCallSound,
    whenConnected,
    dial,
    listener,
    finish,
    setTimer,
    /** False unless the two sides talk. */
    pressKeys: (to: SideName, pressed: string) => keys?.press(to, pressed) ?? false,
    transferor,
    identity,
    comeBack(side: SideName, leg: IncomingLeg) {
      deps.traces?.addDialog(callId, leg.callId, { side, party: 'extension' })
      reconnects.comeBack(side, leg)
    },
    isTalking,
    partyAt,
    legOf,
    portOf: (side: SideName) => sound?.portOf(side),
    codecOf: (side: SideName) => sound?.codecOf(side),
    linkSound: (side: SideName, port: number) => sound?.link(side, port),
    emitTransferred: (to: string) => deps.emit({ ...now(), type: 'transferred', to }),
    emit: (type: 'ringing' | 'extensionAnswered') => !isOver() && deps.emit({ ...now(), type }),
    hangUp,
  }
}
export type Call = ReturnType<typeof createCall>

function partyOf({ callee, isThroughNode }: Route): SipParty {
  if (isThroughNode) return 'node'
  return callee === 'carrier' ? 'carrier' : 'extension'
}
