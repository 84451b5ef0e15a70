/** Opens the sound of a call, and ends the call when its sound fails. */
import type { Cause } from '../../../../contract/calls/causes.ts'
import type { KeyKind } from '../../../../media/relay/relay.ts'
import type { SideName } from '../../../../media/relay/side.ts'
import type { Side } from '../../../port.ts'
import type { CallDeps } from '../call-deps.ts'
import { openSound, type Sound } from './sound.ts'

type Options = {
  deps: CallDeps
  callId: string
  isOver(): boolean
  onSilence(silent: ReadonlySet<SideName>): void
  onConnected(side: SideName): void
  onKey(side: SideName, key: string, by: KeyKind): void
  finish(cause: Cause, by: Side): void
}

/** Undefined when no ports are free, or the call ended while the ports were being opened. */
export async function openSoundOf(options: Options): Promise<Sound | undefined> {
  const { deps, callId, isOver, onSilence, onConnected, onKey, finish } = options
  const { log } = deps
  const opening = openSound({
    media: deps.media,
    address: deps.address,
    codecs: deps.codecs.phones,
    allowsOpenKeys: deps.allowsOpenKeys,
    callId,
    onSilence,
    onConnected,
    onKey,
    onLost: (error) => {
      log.error({ err: error, callId }, 'the sound of a call was lost')
      finish('NORMAL_TEMPORARY_FAILURE', 'service')
    },
    onRefused: (side, reason) => {
      log.warn({ callId, side, reason }, 'the sound of a call cannot be protected')
      finish('INCOMPATIBLE_DESTINATION', side)
    },
    onRecordingFailed: (reason) => {
      log.error({ callId, reason }, 'a call is not recorded')
      deps.onUnrecorded?.()
    },
  })
  try {
    const opened = await opening
    if (!isOver()) return opened
    await opened.close()
  } catch (error) {
    log.warn({ err: error, callId }, 'no media ports for a call')
    finish('NORMAL_CIRCUIT_CONGESTION', 'service')
  }
  return undefined
}
