/** The call of this tab, kept while the page is loaded again, which then comes back to it. */
import type { RTCSession } from 'jssip/lib/RTCSession'
import type { Dialog, KeptCall } from '../moves/phone.ts'

const key = 'ramal.call'
/** The service waits for no phone longer than this. */
const maxAgeMs = 300_000

type StoredCall = KeptCall & { ramal: string; leftAt: number }

export function keepCall(ramal: string, kept: KeptCall) {
  const stored: StoredCall = { ...kept, ramal, leftAt: Date.now() }
  sessionStorage.setItem(key, JSON.stringify(stored))
}

export function takeKeptCall(ramal: string): KeptCall | undefined {
  const text = sessionStorage.getItem(key)
  sessionStorage.removeItem(key)
  if (text === null) return undefined
  const { dialog, call, ...stored }: StoredCall = JSON.parse(text)
  return stored.ramal === ramal && Date.now() - stored.leftAt < maxAgeMs ? { dialog, call } : undefined
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
