/** The call of this tab, kept while the page is loaded again, which then comes back to it. */
import type { RTCSession } from 'jssip/lib/RTCSession'
import type { PhoneCall } from '../state.ts'

const key = 'ramal.call'
/** The service waits for no phone longer than this. */
const maxAgeMs = 300_000

/** The ids of a leg, as SIP has them. */
export type Dialog = { call_id: string; local_tag: string; remote_tag: string }
export type KeptCall = { ramal: string; dialog: Dialog; call: PhoneCall }

export function keepCall(kept: KeptCall) {
  sessionStorage.setItem(key, JSON.stringify({ ...kept, leftAt: Date.now() }))
}

export function takeKeptCall(ramal: string): KeptCall | undefined {
  const text = sessionStorage.getItem(key)
  sessionStorage.removeItem(key)
  if (text === null) return undefined
  const { leftAt, ...kept }: KeptCall & { leftAt: number } = JSON.parse(text)
  return kept.ramal === ramal && Date.now() - leftAt < maxAgeMs ? kept : undefined
}

/** JsSIP offers no other way to the ids of a leg. */
export function dialogOf(session: RTCSession): Dialog {
  const { _dialog } = session as unknown as { _dialog: { id: Dialog } }
  return _dialog.id
}

/** RFC 3891: of an INVITE that takes the place of the leg. */
export function replacesHeader({ call_id, local_tag, remote_tag }: Dialog): string {
  return `Replaces: ${call_id};to-tag=${remote_tag};from-tag=${local_tag}`
}
