/** The call of this tab, kept while the page is loaded again, which then comes back to it. */
import type { PhoneCall } from './state.ts'

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
