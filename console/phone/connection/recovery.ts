/**
 * D412: a call whose connection or path of sound was lost comes back by an INVITE with Replaces (D318), tried whenever the phone
 * is connected, until its sound flows again. The service refuses if the call is over.
 *
 *   talking ──▶ lost ──▶ INVITE ──▶ talking
 *                │ ▲────────┘│ no connection, no answer
 *                └───────────┴──▶ over: refused, or `returnMs` after the loss
 */
import type { EndEvent, RTCSession } from 'jssip/lib/RTCSession'
import { client } from '../../api.ts'
import type { PhoneCall } from '../state.ts'
import { dialogOf, type KeptCall } from './kept-call.ts'

/** How long the page tries to come back to a call. */
const returnMs = 30_000
const retryMs = 1_000

type Deps = {
  /** Sends an INVITE in place of the leg that was lost. */
  invite(lost: KeptCall): RTCSession
  onLost(call: PhoneCall): void
  onReturned(): void
  onOver(call: PhoneCall): void
}

export function createRecovery({ invite, onLost, onReturned, onOver }: Deps) {
  let lost: KeptCall | undefined
  let attempt: RTCSession | undefined
  let isConnected = false
  let deadline: ReturnType<typeof setTimeout> | undefined

  function begin(kept: KeptCall) {
    if (lost) return
    lost = kept
    onLost(kept.call)
    deadline = setTimeout(giveUp, returnMs)
    tryNow()
  }

  function tryNow() {
    if (!lost || attempt || !isConnected) return
    const started = invite(lost)
    attempt = started
    started.on('confirmed', () => onConfirmed(started))
    for (const event of ['failed', 'ended'] as const)
      started.on(event, (end: EndEvent) => onFailed(started, end))
  }

  function retry() {
    attempt = undefined
    tryNow()
  }

  /** The leg is the call's now; the call is back once it has sound. */
  function onConfirmed(started: RTCSession) {
    if (attempt !== started || !lost) return
    lost = { ...lost, dialog: dialogOf(started) }
    const { connection } = started
    const check = () => {
      if (attempt !== started) return
      if (connection.connectionState === 'connected') finish(onReturned)
    }
    connection.addEventListener('connectionstatechange', check)
    check()
  }

  function onFailed(started: RTCSession, { originator, message }: EndEvent) {
    if (attempt !== started) return
    attempt = undefined
    const status = message && 'status_code' in message ? message.status_code : undefined
    const isRefused = status === undefined ? String(originator) === 'remote' : status < 500
    if (isRefused) giveUp()
    else setTimeout(tryNow, retryMs)
  }

  function giveUp() {
    const call = lost?.call
    if (call) finish(() => onOver(call))
  }

  function finish(then: () => void) {
    cancel()
    then()
  }

  function cancel() {
    clearTimeout(deadline)
    lost = undefined
    attempt = undefined
  }

  return {
    begin,
    /** The leg that came back has no sound either. */
    retry,
    cancel,
    isOn: () => lost !== undefined,
    lost: () => lost,
    /** Over a new connection: what was tried over the old one is void. */
    onConnected() {
      isConnected = true
      retry()
    },
    onDisconnected() {
      isConnected = false
    },
  }
}

/** The other side is not left waiting for a phone that does not come back. */
export function hangUpAtService({ id }: PhoneCall) {
  if (id !== undefined) void client.POST('/calls/{id}/hangup', { params: { path: { id } } }).catch(() => {})
}
