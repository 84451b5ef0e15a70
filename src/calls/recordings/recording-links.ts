/**
 * Links to recordings that work without a token for as long as the recording is kept (D120: who may listen). They are
 * signed, not stored: a recording always has the same link.
 */
import { timingSafeEqual } from 'node:crypto'
import { type Clock, plusSeconds } from '../../kit/clock.ts'
import { signWith } from '../../kit/vault.ts'

const daySeconds = 86_400

export type SignedLink = { callId: string; expires: string; signature: string }

type Deps = {
  /** Signs the links; another process may replace it. */
  key: () => Buffer
  clock: Clock
  /** Where the recording of a call is, without a signature. */
  address: (callId: string) => string
  /** How long recordings are kept. */
  days: number
}

type Recorded = { id: string; recording: string | null; ended_at: Date | null }

export function createRecordingLinks({ key, clock, address, days }: Deps) {
  /** D121: empty if there is no recording, or no longer; set already while the recording is being moved to the store. */
  function linkOf({ id, recording, ended_at }: Recorded): string {
    if (!ended_at || (recording !== 'spooled' && recording !== 'stored')) return ''
    const expires = String(Math.floor(plusSeconds(ended_at, days * daySeconds).getTime() / 1000))
    return `${address(id)}?expires=${expires}&signature=${sign(id, expires)}`
  }

  function isValid({ callId, expires, signature }: SignedLink): boolean {
    if (!/^\d{1,12}$/.test(expires) || Number(expires) * 1000 <= clock.now().getTime()) return false
    const given = Buffer.from(signature)
    const ours = Buffer.from(sign(callId.toLowerCase(), expires))
    return given.length === ours.length && timingSafeEqual(given, ours)
  }

  function sign(callId: string, expires: string): string {
    return signWith(key(), `${callId}\n${expires}`).toString('base64url')
  }

  return { linkOf, isValid }
}
export type RecordingLinks = ReturnType<typeof createRecordingLinks>
