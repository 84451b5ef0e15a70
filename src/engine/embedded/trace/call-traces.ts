/**
 * The SIP messages of each call (D660), kept in memory until the call is over and handed to the host some seconds later, when the
 * last responses have come. A message belongs to the call of its dialog, by its Call-ID. An INVITE comes or goes before its
 * dialog is known, so its messages wait for `addDialog`; those of strangers are forgotten.
 */
import type { Clock } from '../../../kit/clock.ts'
import type { Timer, Timers } from '../../../kit/timers.ts'
import { firstValue } from '../../../sip/message/message.ts'
import { serialise } from '../../../sip/message/serialise.ts'
import type { Flow } from '../../../sip/transport/flow.ts'
import type { MessageTap } from '../../../sip/transport/message-tap.ts'
import type { SipTrace, TracedMessage } from '../../port.ts'
import { createRecentMap } from '../guard/recent-map.ts'
import { cutSecrets } from './cut-secrets.ts'

const defaultBounds = {
  messages: 200,
  bytes: 128 * 1024,
  /** While the call of an INVITE is not known. */
  unknownBytes: 16 * 1024,
  unknownDialogs: 1_000,
  /** All known calls together. */
  totalBytes: 64 * 1024 * 1024,
}

/** How long the responses to the last requests are waited for. */
export const lingerMs = 3_000

type Kept = Omit<TracedMessage, 'at' | 'side' | 'party'> & { at: number; dialog: string }
type Collected = { messages: Kept[]; bytes: number; leftOut: number }
type Dialog = Pick<TracedMessage, 'side' | 'party'>
type Trace = Collected & { callId: string; dialogs: Map<string, Dialog>; ending: Timer | undefined }

type Deps = {
  clock: Clock
  timers: Timers
  onTrace(trace: SipTrace): void
  /** Our address, where a socket listens on all of them. */
  address: string
  bounds?: typeof defaultBounds
}

export function createCallTraces({ clock, timers, onTrace, address, bounds = defaultBounds }: Deps) {
  const traces = new Map<string, Trace>()
  const byDialog = new Map<string, Trace>()
  const unknown = createRecentMap<Collected>(bounds.unknownDialogs)
  const totals = { bytes: 0, leftOut: 0 }

  /** Where a message of the dialog is kept; only an INVITE begins one. */
  function collectedOf(dialog: string, isInvite: boolean): Collected | undefined {
    const found = byDialog.get(dialog) ?? unknown.get(dialog)
    if (found || !isInvite) return found
    const begun: Collected = { messages: [], bytes: 0, leftOut: 0 }
    unknown.set(dialog, begun)
    return begun
  }

  function keep(collected: Collected, message: Kept) {
    const size = message.text.length
    const isKnown = byDialog.has(message.dialog)
    const isFull =
      collected.messages.length >= bounds.messages ||
      collected.bytes + size > (isKnown ? bounds.bytes : bounds.unknownBytes) ||
      totals.bytes + size > bounds.totalBytes
    if (isFull) {
      collected.leftOut += 1
      totals.leftOut += 1
      return
    }
    collected.messages.push(message)
    collected.bytes += size
    if (isKnown) totals.bytes += size
  }

  function toMessage(direction: Kept['direction'], dialog: string, flow: Flow, bytes: Buffer): Kept {
    const { transport, remote } = flow
    const local = wildcards.has(flow.local.address) ? { address, port: flow.local.port } : flow.local
    const at = clock.now().getTime()
    return { at, direction, dialog, transport, local, remote, text: bytes.toString('latin1') }
  }

  const tap: MessageTap = {
    onSent(bytes, flow) {
      const dialog = callIdIn(bytes)
      if (dialog === undefined) return
      const collected = collectedOf(dialog, bytes.toString('latin1', 0, invite.length) === invite)
      if (collected) keep(collected, toMessage('sent', dialog, flow, bytes))
    },
    onReceived(message, flow, bytes) {
      const dialog = firstValue(message, 'Call-ID')
      if (dialog === undefined) return
      const collected = collectedOf(dialog, message.kind === 'request' && message.method === 'INVITE')
      if (collected) keep(collected, toMessage('received', dialog, flow, bytes ?? serialise(message)))
    },
  }

  function traceOf(callId: string): Trace {
    const found = traces.get(callId)
    if (found) return found
    const begun: Trace = {
      callId,
      dialogs: new Map(),
      messages: [],
      bytes: 0,
      leftOut: 0,
      ending: undefined,
    }
    traces.set(callId, begun)
    return begun
  }

  function hand(trace: Trace) {
    const { callId, dialogs, messages, leftOut } = trace
    trace.ending?.cancel()
    traces.delete(callId)
    for (const dialog of dialogs.keys()) byDialog.delete(dialog)
    totals.bytes -= trace.bytes
    // Those that waited for their dialog come after later ones of others.
    messages.sort((one, other) => one.at - other.at)
    const traced = messages.flatMap(({ dialog, at, text, ...message }): TracedMessage[] => {
      const known = dialogs.get(dialog)
      if (!known) return []
      const { side, party } = known
      return [{ ...message, side, party, at: new Date(at), text: cutSecrets(text) }]
    })
    onTrace({ callId, messages: traced, leftOut })
  }

  return {
    tap,

    /** The dialog is one of the call; what was exchanged in it so far goes to the call. */
    addDialog(callId: string, dialog: string, { side, party }: Dialog) {
      const trace = traceOf(callId)
      trace.ending?.cancel()
      trace.ending = undefined
      trace.dialogs.set(dialog, { side, party })
      byDialog.set(dialog, trace)
      const waiting = unknown.get(dialog)
      unknown.delete(dialog)
      for (const message of waiting?.messages ?? []) keep(trace, message)
      trace.leftOut += waiting?.leftOut ?? 0
    },

    /** The call is over: nothing is dialled any more. */
    end(callId: string) {
      const trace = traces.get(callId)
      if (!trace || trace.ending) return
      trace.ending = timers.after(lingerMs, () => hand(trace))
    },

    metrics: () => ({
      sip_trace_bytes: totals.bytes,
      sip_trace_messages_left_out_total: totals.leftOut,
    }),

    /** Hands over what there is. */
    stop() {
      for (const trace of [...traces.values()]) hand(trace)
    },
  }
}
export type CallTraces = ReturnType<typeof createCallTraces>

const invite = 'INVITE '
const wildcards = new Set(['0.0.0.0', '::'])
/** As `serialise` writes it. */
const callIdHeader = Buffer.from('\r\nCall-ID: ')

function callIdIn(bytes: Buffer): string | undefined {
  const at = bytes.indexOf(callIdHeader)
  if (at < 0) return undefined
  const start = at + callIdHeader.length
  const end = bytes.indexOf('\r\n', start)
  return end < 0 ? undefined : bytes.toString('utf8', start, end)
}
